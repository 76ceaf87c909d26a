/**
 * The settings of a room: their schema, their defaults, how a change is merged and checked, and which phase a room is
 * in at a given time. An operator stores only what differs from the defaults; null takes a setting back to its default.
 */
import { type Static, Type } from 'typebox';

const DAY_MS = 86_400_000;
const Ttl = (about: string) => Type.Integer({ minimum: 1_000, maximum: DAY_MS, description: about });
const Text = Type.String({ minLength: 1, maxLength: 500 });
const Instant = (about: string) => Type.String({ format: 'date-time', description: about });

export const RoomSettings = Type.Object(
  {
    state: Type.Union([Type.Literal('open'), Type.Literal('paused'), Type.Literal('closed')], {
      description: 'open; paused: people join, nobody is admitted; closed: nobody joins, nobody is admitted',
    }),
    maxActive: Type.Integer({ minimum: 0, maximum: 10_000_000, description: 'admitted and active visitors at most' }),
    admitPerSecond: Type.Number({ exclusiveMinimum: 0, maximum: 100_000, description: 'admissions a second at most' }),
    burst: Type.Integer({ minimum: 1, maximum: 1_000_000, description: 'admissions at once after a quiet time' }),
    batchSize: Type.Integer({
      minimum: 1,
      maximum: 10_000,
      description: 'admissions per tick at most, where admitPerSecond is not set',
    }),
    activeTtlMs: Ttl('how long a session lasts from when the visitor was last seen'),
    activeMaxTtlMs: Ttl('how long a session lasts at most'),
    expectedStayMs: Ttl(
      'how long people usually stay inside, from an earlier sale or a rehearsal: what waiting times go by at first',
    ),
    renew: Type.Boolean({
      description: 'true: being seen prolongs the session; false: it ends activeTtlMs after entry',
    }),
    claimTtlMs: Ttl('how long an admitted visitor may take to show up'),
    seenTtlMs: Ttl('when a silent waiter lapses'),
    disconnectGraceMs: Type.Integer({
      minimum: 0,
      maximum: DAY_MS,
      description: 'how long a waiter whose live connection closed keeps the place, within seenTtlMs',
    }),
    releaseOnDisconnect: Type.Boolean({
      description: 'whether a session ends as soon as its live connection closes',
    }),
    priorityShare: Type.Integer({
      minimum: 0,
      maximum: 100,
      description: 'percent of admissions that go to members first while others wait too; 0: no lane for them',
    }),
    followStock: Type.Boolean({
      description: 'whether to let in only as many as what the shop has left could serve (docs/reference/shop.md)',
    }),
    admission: Type.Union([Type.Literal('auto'), Type.Literal('claim')], {
      description: 'auto: who is let in is inside when next seen; claim: who is let in is ready, and inside by asking',
    }),
    claimWindow: Type.Integer({
      minimum: 1,
      maximum: 10_000_000,
      description: 'with admission claim: how many may be ready at once',
    }),
    minWaitMs: Type.Integer({
      minimum: 0,
      maximum: DAY_MS,
      description: 'with admission claim: nobody is ready sooner after joining',
    }),
    order: Type.Union([Type.Literal('fifo'), Type.Literal('draw')], {
      description:
        'fifo: in order of arrival; draw: whoever is there at opensAt is ordered by lot (docs/explanation/draw.md)',
    }),
    opensAt: Instant('nobody is admitted before'),
    closesAt: Instant('nobody joins or is admitted from then on'),
    message: Type.Object({ ko: Type.Optional(Text), en: Type.Optional(Text) }, { additionalProperties: false }),
  },
  { additionalProperties: false },
);

type AllSettings = Static<typeof RoomSettings>;
type WithoutDefault = 'admitPerSecond' | 'burst' | 'expectedStayMs' | 'opensAt' | 'closesAt' | 'message';

/** What a room runs by: every setting, those without a default only where set. */
export type RoomSettings = Omit<AllSettings, WithoutDefault> & Partial<Pick<AllSettings, WithoutDefault>>;
/** What an operator has set for one room. */
export type RoomOverrides = Partial<AllSettings>;
/** A change an operator asks for. */
export type RoomChange = { [Key in keyof AllSettings]?: AllSettings[Key] | null };

export const RoomChange = Type.Object(
  Object.fromEntries(
    Object.entries(RoomSettings.properties).map(([name, schema]) => [
      name,
      Type.Optional(Type.Union([schema, Type.Null()])),
    ]),
  ),
  { additionalProperties: false, minProperties: 1 },
);

export interface SettingProblem {
  field: keyof AllSettings;
  message: string;
}

export type Revision = { ok: true; overrides: RoomOverrides } | { ok: false; problems: SettingProblem[] };

export function toSettings(defaults: RoomSettings, overrides: RoomOverrides): RoomSettings {
  return { ...defaults, ...overrides };
}

/** Merges a change that fits the schema into what is set, and checks what concerns several settings at once. */
export function revise(defaults: RoomSettings, overrides: RoomOverrides, change: RoomChange): Revision {
  const merged = Object.fromEntries(
    Object.entries({ ...overrides, ...change }).filter(([, value]) => value !== null && value !== undefined),
  ) as RoomOverrides;
  const problems = findProblems(toSettings(defaults, merged));
  return problems.length > 0 ? { ok: false, problems } : { ok: true, overrides: merged };
}

function findProblems(settings: RoomSettings): SettingProblem[] {
  const problems: SettingProblem[] = [];
  if (settings.burst !== undefined && settings.admitPerSecond === undefined) {
    problems.push({ field: 'burst', message: 'burst needs admitPerSecond: it is how far that rate may be exceeded' });
  }
  if (settings.order === 'draw' && settings.opensAt === undefined) {
    problems.push({ field: 'opensAt', message: 'order draw needs opensAt: that is when the draw is held' });
  }
  if (settings.activeMaxTtlMs < settings.activeTtlMs) {
    problems.push({
      field: 'activeMaxTtlMs',
      message: `activeMaxTtlMs (${settings.activeMaxTtlMs}) must not be below activeTtlMs (${settings.activeTtlMs})`,
    });
  }
  if (
    settings.opensAt !== undefined &&
    settings.closesAt !== undefined &&
    Date.parse(settings.closesAt) <= Date.parse(settings.opensAt)
  ) {
    problems.push({ field: 'closesAt', message: `closesAt must be after opensAt (${settings.opensAt})` });
  }
  return problems;
}

export type Phase = 'not_open' | 'open' | 'paused' | 'closed';

/** What holds at `now`: the state the operator chose, within the hours the room has. */
export function phaseAt(settings: RoomSettings, now: number): Phase {
  if (settings.state === 'closed') return 'closed';
  if (settings.closesAt !== undefined && now >= Date.parse(settings.closesAt)) return 'closed';
  if (settings.state === 'paused') return 'paused';
  if (settings.opensAt !== undefined && now < Date.parse(settings.opensAt)) return 'not_open';
  return 'open';
}
