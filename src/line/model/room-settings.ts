/**
 * The settings of a room: schema, merging and validation of changes, and the phase of a room at a given time. Only
 * overrides of the defaults are stored; null resets a setting to its default.
 */
import { type Static, Type } from 'typebox';
import type { FieldProblem } from '../../http/field-problem.ts';
import { isWaitingPage } from '../../http/wanted-page.ts';
import type { StockView } from './stock.ts';

const DAY_MS = 86_400_000;
const Ttl = (about: string) => Type.Integer({ minimum: 1_000, maximum: DAY_MS, description: about });
const Text = Type.String({ minLength: 1, maxLength: 500 });
/** A path of this site, without anything that a browser would read as another site. */
const TARGET_PATTERN = '^/(?![/\\\\])[\\x21-\\x5b\\x5d-\\x7e]*$';
const Instant = (about: string) => Type.String({ format: 'date-time', description: about });

export const RoomSettings = Type.Object(
  {
    state: Type.Union([Type.Literal('open'), Type.Literal('paused'), Type.Literal('closed')], {
      description:
        'open; paused: visitors can join but nobody is admitted; closed: nobody can join and nobody is admitted',
    }),
    maxActive: Type.Integer({
      minimum: 0,
      maximum: 10_000_000,
      description: 'maximum of admitted and active visitors',
    }),
    admitPerSecond: Type.Number({
      exclusiveMinimum: 0,
      maximum: 100_000,
      description: 'maximum admissions per second',
    }),
    burst: Type.Integer({
      minimum: 1,
      maximum: 1_000_000,
      description: 'maximum admissions at once after a quiet period',
    }),
    batchSize: Type.Integer({
      minimum: 1,
      maximum: 10_000,
      description: 'maximum admissions per tick if admitPerSecond is not set',
    }),
    activeTtlMs: Ttl('session length, counted from when the visitor was last seen'),
    activeMaxTtlMs: Ttl('maximum session length'),
    expectedStayMs: Ttl(
      'how long visitors usually stay inside, from an earlier sale or a rehearsal: the first waiting times use it',
    ),
    renew: Type.Boolean({
      description: 'true: activity extends the session; false: it ends activeTtlMs after entry',
    }),
    claimTtlMs: Ttl('how long an admitted visitor may take to show up; with admission claim: to enter, once told'),
    seenTtlMs: Ttl('a waiting visitor who is silent for this long lapses'),
    disconnectGraceMs: Type.Integer({
      minimum: 0,
      maximum: DAY_MS,
      description: 'how long a waiting visitor keeps the place after the live connection closed, within seenTtlMs',
    }),
    releaseOnDisconnect: Type.Boolean({
      description: 'whether a session ends when its live connection closes',
    }),
    priorityShare: Type.Integer({
      minimum: 0,
      maximum: 100,
      description: 'percent of admissions for the priority lane (members) while both lanes wait; 0: no priority lane',
    }),
    followStock: Type.Boolean({
      description: 'whether to admit only as many visitors as the remaining stock can serve (docs/reference/shop.md)',
    }),
    joinRequires: Type.Union([Type.Literal('nothing'), Type.Literal('account'), Type.Literal('confirmed-account')], {
      description:
        'nothing: guests can join; account: only signed-in users; confirmed-account: only users with a confirmed e-mail address',
    }),
    admission: Type.Union([Type.Literal('auto'), Type.Literal('claim')], {
      description:
        'auto: an admitted visitor is inside when next seen; claim: an admitted visitor is ready and must enter',
    }),
    claimWindow: Type.Integer({
      minimum: 1,
      maximum: 10_000_000,
      description: 'with admission claim: maximum of ready visitors at once',
    }),
    minWaitMs: Type.Integer({
      minimum: 0,
      maximum: DAY_MS,
      description: 'with admission claim: minimum wait before a visitor is ready',
    }),
    streamFormat: Type.Union([Type.Literal('named'), Type.Literal('message')], {
      description:
        'what a stream sends to clients that do not ask for a format: named events, or unnamed messages with a status (docs/reference/live.md)',
    }),
    readyStatus: Type.Union([Type.Literal('ready'), Type.Literal('waiting')], {
      description:
        'the status that the claim door gives to a visitor who may enter; waiting: for clients that look at ready_for_entry only while they wait',
    }),
    order: Type.Union([Type.Literal('fifo'), Type.Literal('draw')], {
      description:
        'fifo: order of arrival; draw: visitors present at opensAt are ordered at random (docs/explanation/draw.md)',
    }),
    target: Type.String({
      minLength: 1,
      maxLength: 1024,
      pattern: TARGET_PATTERN,
      description:
        'a path of this site, which may name {eventId}: the page for admitted visitors who did not come from one',
    }),
    failOpen: Type.Object(
      {
        afterSeconds: Type.Integer({ minimum: 1, maximum: 3_600 }),
        forMinutes: Type.Integer({ minimum: 1, maximum: 1_440 }),
        perSecond: Type.Number({ exclusiveMinimum: 0, maximum: 10_000 }),
      },
      {
        additionalProperties: false,
        description:
          'gates that have not reached the line for afterSeconds let perSecond new visitors pass, each gate for at most forMinutes; not set: nobody passes',
      },
    ),
    followHealth: Type.Object(
      {
        maxErrorShare: Type.Number({ exclusiveMinimum: 0, maximum: 1 }),
        maxP95Ms: Type.Integer({ minimum: 1, maximum: 600_000 }),
        minPerSecond: Type.Number({ exclusiveMinimum: 0, maximum: 100_000 }),
      },
      {
        additionalProperties: false,
        description:
          'lowers the admission rate while the site answers more than maxErrorShare of its requests with 5xx or takes longer than maxP95Ms, but not below minPerSecond; needs admitPerSecond',
      },
    ),
    ignoreHealthUntil: Instant(
      'with followHealth: until this time the room admits at its full rate whatever the site does',
    ),
    opensAt: Instant('nobody is admitted before this time'),
    closesAt: Instant('nobody can join or is admitted from this time on'),
    message: Type.Object(
      {
        ko: Type.Optional(Text),
        en: Type.Optional(Text),
        until: Type.Optional(Instant('from this time on waiting visitors no longer get the message; absent: no end')),
      },
      { additionalProperties: false, description: 'shown to waiting visitors, in their language' },
    ),
  },
  { additionalProperties: false },
);

type AllSettings = Static<typeof RoomSettings>;
type WithoutDefault =
  | 'admitPerSecond'
  | 'burst'
  | 'expectedStayMs'
  | 'target'
  | 'failOpen'
  | 'followHealth'
  | 'ignoreHealthUntil'
  | 'opensAt'
  | 'closesAt'
  | 'message';

/** The effective settings of a room; those without a default only if set. */
export type RoomSettings = Omit<AllSettings, WithoutDefault> & Partial<Pick<AllSettings, WithoutDefault>>;
/** What an operator has set for one room. */
export type RoomOverrides = Partial<AllSettings>;
/** A change requested by an operator. */
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

export interface SettingProblem extends FieldProblem {
  field: keyof AllSettings;
}

export type Revision = { ok: true; overrides: RoomOverrides } | { ok: false; problems: SettingProblem[] };

export function toSettings(defaults: RoomSettings, overrides: RoomOverrides): RoomSettings {
  return { ...defaults, ...overrides };
}

/** Merges a schema-valid change into the overrides, and validates rules that span several settings. */
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
    problems.push({
      field: 'burst',
      message: 'burst needs admitPerSecond: set the rate that it may exceed',
      rule: 'needs',
      limit: 'admitPerSecond',
    });
  }
  if (settings.followHealth !== undefined && settings.admitPerSecond === undefined) {
    problems.push({
      field: 'followHealth',
      message: 'followHealth needs admitPerSecond: the rate of a healthy site',
      rule: 'needs',
      limit: 'admitPerSecond',
    });
  }
  if (settings.followHealth !== undefined && settings.followHealth.minPerSecond > (settings.admitPerSecond ?? 0)) {
    problems.push({
      field: 'followHealth',
      message: 'followHealth.minPerSecond must not exceed admitPerSecond',
      rule: 'notAbove',
      limit: 'admitPerSecond',
    });
  }
  if (settings.target !== undefined && isWaitingPage(settings.target)) {
    problems.push({
      field: 'target',
      message: 'target must not be a waiting page (/queue, /vwr): name a page of the site',
      rule: 'notWaitingPage',
    });
  }
  if (settings.order === 'draw' && settings.opensAt === undefined) {
    problems.push({ field: 'opensAt', message: 'order draw needs opensAt: the time of the draw', rule: 'required' });
  }
  if (settings.activeMaxTtlMs < settings.activeTtlMs) {
    problems.push({
      field: 'activeMaxTtlMs',
      message: `activeMaxTtlMs (${settings.activeMaxTtlMs}) must not be below activeTtlMs (${settings.activeTtlMs})`,
      rule: 'notBelow',
      limit: 'activeTtlMs',
    });
  }
  if (
    settings.opensAt !== undefined &&
    settings.closesAt !== undefined &&
    Date.parse(settings.closesAt) <= Date.parse(settings.opensAt)
  ) {
    problems.push({
      field: 'closesAt',
      message: `closesAt must be after opensAt (${settings.opensAt})`,
      rule: 'after',
      limit: 'opensAt',
    });
  }
  return problems;
}

export type Phase = 'not_open' | 'open' | 'paused' | 'closed';

/** The state set by the operator, limited by opensAt and closesAt. */
export function phaseAt(settings: RoomSettings, now: number): Phase {
  if (settings.state === 'closed') return 'closed';
  if (settings.closesAt !== undefined && now >= Date.parse(settings.closesAt)) return 'closed';
  if (settings.state === 'paused') return 'paused';
  if (settings.opensAt !== undefined && now < Date.parse(settings.opensAt)) return 'not_open';
  return 'open';
}

/** The operator's message to waiting visitors, unless it has ended. */
export function messageAt({ message }: RoomSettings, now: number): { ko?: string; en?: string } | undefined {
  if (message === undefined) return undefined;
  const { until, ...texts } = message;
  return until !== undefined && now >= Date.parse(until) ? undefined : texts;
}

/** How many visitors may be inside: none if the room follows the stock and it is not known yet. */
export function limitOf(
  { maxActive, followStock }: { maxActive: number; followStock: boolean },
  stock: StockView | undefined,
): number {
  return followStock ? Math.min(maxActive, stock?.slots ?? 0) : maxActive;
}
