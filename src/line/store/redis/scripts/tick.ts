/** Typed twin of tick.lua, and the reader of the pulse it stores. */
import { randomBytes } from 'node:crypto';
import { RecentMap } from '../../../../platform/collections/recent-map.ts';
import { loadScript } from '../../../../platform/redis/scripts.ts';
import { StoreUnavailableError } from '../../../../platform/store-unavailable-error.ts';
import type { Pulse } from '../../../estimate/pulse.ts';
import type { Ruler } from '../../../estimate/ruler.ts';
import type { RoomSettings } from '../../../model/room-settings.ts';
import type { AdmissionLease, TickOutcome } from '../../admissions.ts';
import { admissionLockKey, entryKey, historyKey, pulseKey } from './keys.ts';
import { type CrowdFacts, toCrowd } from './room-view.ts';
import type { ScriptCaller } from './script-caller.ts';

type TickReply = [
  pulse: string,
  more: number,
  tally: [lapsed: number, noShows: number, ended: number, passedOver: number, returned: number],
  admitted: (string | number)[],
];

const NOT_HELD = 0;
const COME_AGAIN = 1;
/** A little more than the script asks for: clocks and timers are not exact. */
const COME_AGAIN_MS = 410;

const script = loadScript(new URL('tick.lua', import.meta.url));

/** Without a lease it ticks at any time. */
export async function tick(caller: ScriptCaller, eventId: string, lease?: AdmissionLease): Promise<TickOutcome> {
  const moreKeys = [historyKey(eventId), entryKey(eventId), pulseKey(eventId), admissionLockKey(eventId)];
  const tickId = randomBytes(9).toString('base64url');
  const lastTick = caller.fence.lastTick(eventId);
  const args = [tickId, lease?.holder ?? '', lease?.tickBy ?? ''];
  const call = { script, eventId, args, moreKeys };
  let reply = await caller.call(call);
  if (reply === COME_AGAIN) {
    await new Promise((resolve) => setTimeout(resolve, COME_AGAIN_MS));
    reply = await caller.call(call);
  }
  if (reply === null) return { outcome: 'no-room' };
  if (reply === NOT_HELD || reply === COME_AGAIN)
    throw new StoreUnavailableError(`the tick of ${eventId} came too late, or another process ticks now`);
  const [json, more, tally, admitted] = reply as TickReply;
  const [lapsed, noShows, ended, passedOver, returned] = tally;
  const pulse = toPulse(json, caller.defaults);
  caller.requireCurrent(eventId, lastTick, { tickedAt: pulse.at });
  return {
    outcome: 'ticked',
    admitted: toAdmissions(admitted),
    tally: { lapsed, noShows, ended, passedOver, returned },
    more: more === 1,
    pulse,
  };
}

export function toPulse(json: string, defaults: RoomSettings): Pulse {
  const { numbers, ranks, priority, ...facts } = JSON.parse(json) as CrowdFacts & Ruler & { priority?: Ruler };
  const pulse = { at: facts.at, crowd: toCrowd(facts, defaults), ruler: { numbers, ranks } };
  return priority === undefined ? pulse : { ...pulse, priorityRuler: priority };
}

const PULSES_REMEMBERED = 200;
const PULSE_UNUSED_MS = 60_000;

/** Parses the pulses that this process reads; each text once, because it is read ten times in a second. */
export class PulseParser {
  readonly #defaults: RoomSettings;
  readonly #latest = new RecentMap<{ json: string; pulse: Pulse }>(PULSES_REMEMBERED, {
    unusedMs: PULSE_UNUSED_MS,
  });

  constructor(defaults: RoomSettings) {
    this.#defaults = defaults;
  }

  parse(eventId: string, json: string): Pulse {
    const known = this.#latest.get(eventId);
    if (known?.json === json) return known.pulse;
    const pulse = toPulse(json, this.#defaults);
    this.#latest.set(eventId, { json, pulse });
    return pulse;
  }
}

function toAdmissions(flat: (string | number)[]): { visitor: string; number: number }[] {
  const admissions: { visitor: string; number: number }[] = [];
  for (let i = 0; i < flat.length; i += 2) admissions.push({ visitor: String(flat[i]), number: Number(flat[i + 1]) });
  return admissions;
}
