/** Chooses faults by the seed, carries them out, some of them at the same time, and measures how long each took to heal. */
import { setTimeout as sleep } from 'node:timers/promises';
import type { Recorder } from '../history.ts';
import type { Chance } from '../random.ts';
import type { System } from '../system/system.ts';
import { type FaultKind, faultKindsOf } from './fault-kinds.ts';
import { type ProbeOptions, untilServing } from './probe.ts';

export interface FaultOptions {
  system: System;
  recorder: Recorder;
  chance: Chance;
  /** How many at most, spread over the time. */
  count: number;
  overMs: number;
  /** Only kinds whose name contains one of these words; empty: all. */
  only: readonly string[];
  userToken: ProbeOptions['userToken'];
  say(text: string): void;
  /** Aborted if the run has to end early. */
  closing: AbortSignal;
}

/** At most this many at once. */
const AT_ONCE = 2;
const UNDO_TRIES = 5;

export async function runFaults(options: FaultOptions): Promise<void> {
  const { system, chance, count, overMs, only, closing } = options;
  const kinds = faultKindsOf(system).filter(
    ({ name }) => only.length === 0 || only.some((word) => name.includes(word)),
  );
  if (kinds.length === 0) throw new Error(`no kind of fault matches ${only.join(', ')}`);
  const running = new Map<string, Promise<void>>();
  const startedAt = Date.now();
  const deck = createDeck(kinds, chance);
  const active = new ActiveFaults();
  // They heal slowly on a busy machine: then there are fewer.
  const isOver = () => closing.aborted || Date.now() - startedAt > overMs;
  for (let no = 1; no <= count && !isOver(); no += 1) {
    // Evenly over the time, but never faster than they heal.
    const due = startedAt + (overMs * (no - 1)) / count;
    await sleep(Math.max(0, due - Date.now()));
    while (running.size >= AT_ONCE) await Promise.race(running.values());
    // Mostly one after the other, so that recovery times mean something.
    if (!chance.happens(0.3)) await Promise.all(running.values());
    const kind = deck.next((name) => running.has(name));
    if (kind === undefined) {
      await Promise.race(running.values());
      no -= 1;
      continue;
    }
    const target = chance.pick(kind.targets.filter((name) => !running.has(name)));
    const done = runFault(no, kind, target, chance.fork(), active, options).finally(() => running.delete(target));
    running.set(target, done);
  }
  await Promise.all(running.values());
}

/** Knows whether a fault was alone from its beginning until the system served again. */
export class ActiveFaults {
  readonly #others = new Map<object, { at: number; until: number }>();

  begin(fault: object, at: number): void {
    this.#others.set(fault, { at, until: Number.POSITIVE_INFINITY });
  }

  end(fault: object, until: number): void {
    this.#others.get(fault)!.until = until;
  }

  wasAlone(fault: object, from: number, to: number): boolean {
    return [...this.#others].every(([other, { at, until }]) => other === fault || until < from || at > to);
  }
}

async function runFault(
  no: number,
  kind: FaultKind,
  target: string,
  chance: Chance,
  active: ActiveFaults,
  { system, recorder, userToken, say }: FaultOptions,
): Promise<void> {
  const lastsMs = chance.between(...(kind.lasts as [number, number]));
  say(`fault ${no}: ${kind.name} of ${target}`);
  const at = Date.now();
  const fault = {};
  active.begin(fault, at);
  const undo = await kind.begin(target, chance);
  const healsFrom = kind.healsItself === true ? Date.now() : undefined;
  // A failover heals while its cause lasts, so the probe begins with it.
  const healing = healsFrom === undefined ? undefined : untilServing(kind.area, target, { system, userToken });
  await sleep(lastsMs);
  await undoPatiently(undo, say);
  const until = Date.now();
  active.end(fault, until);
  const recoveredAt = await (healing ?? untilServing(kind.area, target, { system, userToken }));
  const isClean = active.wasAlone(fault, at, recoveredAt ?? Date.now());
  recorder.add({
    ...{ kind: 'fault', no, fault: kind.name, target, area: kind.area, at, until, isClean },
    ...(healsFrom === undefined ? {} : { healsFrom }),
    ...(recoveredAt === undefined ? {} : { recoveredAt }),
  });
}

/** On a loaded machine a broker can take minutes to start. That must not end a run of hours. */
async function undoPatiently(undo: () => Promise<void>, say: FaultOptions['say']): Promise<void> {
  for (let tries = 1; ; tries += 1) {
    try {
      return await undo();
    } catch (error) {
      if (tries === UNDO_TRIES) throw error;
      say(`trying again: ${(error as Error).message}`);
    }
  }
}

/** Every kind comes once before any comes again. */
function createDeck(kinds: readonly FaultKind[], chance: Chance) {
  let cards: FaultKind[] = [];
  const isFree = (kind: FaultKind, isTaken: (target: string) => boolean) =>
    kind.targets.some((target) => !isTaken(target)) &&
    !(kind.name === 'roll-lines' && isTakenByLine(isTaken)) &&
    !(kind.area === 'line' && isTaken('all lines'));
  const isTakenByLine = (isTaken: (target: string) => boolean) =>
    kinds.some(({ area, targets }) => area === 'line' && targets.some(isTaken));
  return {
    next(isTaken: (target: string) => boolean): FaultKind | undefined {
      if (cards.length === 0) cards = [...kinds];
      const free = cards.filter((kind) => isFree(kind, isTaken));
      if (free.length === 0) return undefined;
      const kind = chance.pick(free);
      cards.splice(cards.indexOf(kind), 1);
      return kind;
    },
  };
}
