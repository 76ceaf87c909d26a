/** Undo and redo. Changes with the same key, such as the steps of one drag, are undone together. Pure. */
export interface History<T> {
  past: T[];
  now: T;
  future: T[];
  /** Of the last change. */
  key: string | undefined;
}

const MOST = 200;

export function startHistory<T>(now: T): History<T> {
  return { past: [], now, future: [], key: undefined };
}

export function record<T>({ past, now, key: last }: History<T>, next: T, key?: string): History<T> {
  const isSame = key !== undefined && key === last;
  return { past: isSame ? past : [...past, now].slice(-MOST), now: next, future: [], key };
}

export function undo<T>(history: History<T>): History<T> {
  const { past, now, future } = history;
  if (past.length === 0) return history;
  return { past: past.slice(0, -1), now: past.at(-1)!, future: [now, ...future], key: undefined };
}

export function redo<T>(history: History<T>): History<T> {
  const { past, now, future } = history;
  if (future.length === 0) return history;
  return { past: [...past, now], now: future[0]!, future: future.slice(1), key: undefined };
}
