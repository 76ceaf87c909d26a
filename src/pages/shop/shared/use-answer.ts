/** A response as component state: loaded on mount and on demand. */
import { useCallback, useEffect, useState } from 'preact/hooks';
import { type Answer, send } from './api.ts';

export function useAnswer<T>(path: string): [answer: Answer<T> | undefined, reload: () => Promise<void>] {
  const [answer, setAnswer] = useState<Answer<T>>();
  const reload = useCallback(async () => {
    const fresh = await send<T>('GET', path);
    // While offline, keep what is known.
    setAnswer((known) => (!fresh.ok && fresh.problem.isTemporary && known?.ok ? known : fresh));
  }, [path]);
  useEffect(() => {
    void reload();
  }, [reload]);
  return [answer, reload];
}

/** Runs `work` at intervals while the page is visible. */
export function useEvery(seconds: number, work: () => void): void {
  useEffect(() => {
    const timer = setInterval(() => !document.hidden && work(), seconds * 1000);
    return () => clearInterval(timer);
  }, [seconds, work]);
}

/** Seconds until `endsAt` (on the performance.now() clock); undefined without an end. */
export function useCountdown(endsAt: number | undefined): number | undefined {
  const [now, setNow] = useState(() => performance.now());
  useEffect(() => {
    if (endsAt === undefined) return;
    const timer = setInterval(() => setNow(performance.now()), 250);
    return () => clearInterval(timer);
  }, [endsAt]);
  return endsAt === undefined ? undefined : Math.max(0, (endsAt - now) / 1000);
}
