/** The options that describe a sale: the same for one that is simulated and one that is rehearsed. */
import { readFileSync } from 'node:fs';
import type { RoomOverrides } from '../line/model/room-settings.ts';
import { OptionsError, type OptionTable, option, parseOptions, repeatable } from '../platform/settings/options.ts';
import { integer, type Setting, text, type Values } from '../platform/settings/settings.ts';
import { parseArrivalCurve } from '../simulate/arrival-curve.ts';
import type { Arrivals, CrowdPlan } from '../simulate/crowd.ts';
import { parseShoppingTime, SHOPPING_FORMS, type ShoppingTime } from '../simulate/shopping-time.ts';

const MINUTE_MS = 60_000;

export const crowdOptions = {
  visitors: option(
    'N',
    optional(
      integer({ default: 10_000, min: 1, max: 10_000_000, about: 'How many come.' }),
      '10000, or as in the file',
    ),
  ),
  arrivals: option(
    'CURVE',
    text({
      default: 'burst',
      pattern: /^(burst|steady|.+\.csv)$/,
      allowed: 'burst, steady, or a file.csv of rows time,visitors (docs/guides/simulate.md)',
      about: 'How they come: most at the opening, evenly, or as in a real sale.',
    }),
  ),
  'arrival-minutes': option(
    'MIN',
    optional(minutes('Within which a burst or a steady crowd comes.'), '5 for a burst, all the time for steady'),
  ),
  shopping: option('TIME', shoppingTime({ default: '180', about: 'How long people stay inside, in seconds.' })),
  'drop-out': option('SHARE', share({ default: 0, about: 'Who gives up waiting, half of them without a word.' })),
  patience: option('MIN', withDefault(15, minutes('After how long those give up, on average.'))),
  'no-show': option('SHARE', share({ default: 0, about: 'Who waits, is let in and does not come.' })),
  seed: option('N', integer({ default: 1, min: 0, max: 4_294_967_295, about: 'The same seed makes the same crowd.' })),
};

export const saleOptions = {
  ...crowdOptions,
  limit: option(
    'N',
    integer({ default: 500, min: 0, max: 10_000_000, about: 'How many may be inside at once (maxActive).' }),
  ),
  rate: option('N', number('Admissions a second at most (admitPerSecond).', { above: 0, max: 100_000 })),
  change: repeatable('MIN:WHAT', change()),
  seats: option(
    'N',
    optional(
      integer({ default: 0, min: 1, max: 10_000_000, about: 'How many seats are sold; the sale ends with the last.' }),
      'none: nothing is sold',
    ),
  ),
  'seats-per-buyer': option('N', integer({ default: 1, min: 1, max: 100, about: 'How many each buyer takes.' })),
  buying: option('SHARE', share({ default: 1, about: 'Who buys, of those who come in.' })),
  minutes: option('MIN', withDefault(180, minutes('How long the sale lasts at most.'))),
  'goal-minutes': option(
    'MIN',
    withDefault(60, minutes('In which it should be done: the recommendation is made for that.')),
  ),
};

export type CrowdValues = Values<typeof crowdOptions>;
export type SaleValues = Values<typeof saleOptions>;
export type Given = Readonly<Record<string, readonly string[]>>;

export function toCrowdPlan(
  values: CrowdValues,
  { lastsMs, buyShare }: { lastsMs: number; buyShare: number },
): CrowdPlan {
  const arrivals = toArrivals(values, lastsMs);
  const fromFile =
    arrivals.kind === 'curve' ? arrivals.steps.reduce((sum, { visitors }) => sum + visitors, 0) : undefined;
  return {
    visitors: values.visitors ?? fromFile ?? 10_000,
    arrivals,
    shopping: values.shopping,
    dropOut: { share: values['drop-out'], meanMs: values.patience * MINUTE_MS },
    noShowShare: values['no-show'],
    buyShare,
    seed: values.seed,
  };
}

function toArrivals(values: CrowdValues, lastsMs: number): Arrivals {
  const { arrivals } = values;
  const withinMs = values['arrival-minutes'] === undefined ? undefined : values['arrival-minutes'] * MINUTE_MS;
  if (arrivals === 'burst') return { kind: 'burst', withinMs: withinMs ?? Math.min(lastsMs, 5 * MINUTE_MS) };
  if (arrivals === 'steady') return { kind: 'steady', withinMs: withinMs ?? lastsMs };
  const curve = parseArrivalCurve(readText('arrivals', arrivals!));
  if (!curve.ok) throw new OptionsError(`--arrivals ${arrivals}: ${curve.problem}`);
  return { kind: 'curve', steps: curve.steps };
}

/** Options from a JSON file, `{"limit": 200, "shopping": "fixed:90"}`, or written out as `limit=200,shopping=fixed:90`. */
export function readGiven(name: string, value: string, table: OptionTable): Given {
  const given = value.includes('=') ? fromPairs(value) : fromJson(name, value);
  // Here rather than later, so that the message says where it comes from.
  try {
    parseOptions(table, given);
  } catch (error) {
    throw new OptionsError(`--${name} ${value}:\n${(error as Error).message}`);
  }
  return given;
}

function fromPairs(text: string): Given {
  const pairs = text.split(',').map((pair) => pair.split(/=(.*)/s, 2) as [string, string | undefined]);
  return Object.fromEntries(pairs.map(([key, value]) => [key.trim(), [value?.trim() ?? '']]));
}

function fromJson(name: string, path: string): Given {
  const text = readText(name, path);
  const problem = `--${name} ${path}: allowed is a JSON object of options, as {"limit": 200}, or NAME=VALUE,NAME=VALUE`;
  let parsed: unknown;
  try {
    parsed = JSON.parse(text);
  } catch {
    throw new OptionsError(problem);
  }
  if (typeof parsed !== 'object' || parsed === null || Array.isArray(parsed)) throw new OptionsError(problem);
  return Object.fromEntries(Object.entries(parsed).map(([key, value]) => [key, [value].flat().map(String)]));
}

export function readText(name: string, path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch (error) {
    throw new OptionsError(`--${name} ${path}: the file cannot be read (${(error as NodeJS.ErrnoException).code})`);
  }
}

/** What holds for a sale, as one would type it: what was given, else the default. */
export function describeValues(table: OptionTable, given: Given): Record<string, string> {
  return Object.fromEntries(
    Object.entries(table).map(([name, { default: value, defaultText }]) => [
      name,
      given[name]?.join(', ') ?? defaultText ?? String(value ?? 'none'),
    ]),
  );
}

export function optional<T>(setting: Setting<T>, defaultText: string): Setting<T | undefined> {
  return { ...setting, default: undefined, defaultText };
}

export function withDefault<T>(value: T, setting: Setting<T | undefined>): Setting<T> {
  return { ...setting, default: value, parse: (text) => setting.parse(text)! };
}

export function minutes(about: string): Setting<number | undefined> {
  return { ...number(about, { above: 0, max: 10_080 }), allowed: 'minutes, above 0, up to 10080 (a week)' };
}

export function number(about: string, { above, max }: { above: number; max: number }): Setting<number | undefined> {
  return {
    type: 'number',
    default: undefined,
    allowed: `a number above ${above}, up to ${max}`,
    about,
    parse: (text) => {
      const value = Number(text);
      if (!/^\d+(\.\d+)?$/.test(text) || value <= above || value > max) throw new Error('not allowed');
      return value;
    },
  };
}

export function share({ default: value, about }: { default: number; about: string }): Setting<number> {
  return {
    type: 'share',
    default: value,
    allowed: 'a share from 0 to 1, or from 0% to 100%',
    about,
    parse: (text) => {
      const [, digits, percent] = /^(\d+(?:\.\d+)?)\s*(%?)$/.exec(text) ?? [];
      const parsed = Number(digits) / (percent === '%' ? 100 : 1);
      if (!(parsed >= 0 && parsed <= 1)) throw new Error('not allowed');
      return parsed;
    },
  };
}

export function shoppingTime({ default: value, about }: { default: string; about: string }): Setting<ShoppingTime> {
  const parse = (text: string) => {
    const time = parseShoppingTime(text);
    if (time === undefined) throw new Error('not allowed');
    return time;
  };
  return { type: 'time', default: parse(value), defaultText: value, allowed: SHOPPING_FORMS, about, parse };
}

export interface Change {
  atMs: number;
  overrides: RoomOverrides;
}

function change(): Setting<Change> {
  return {
    type: 'change',
    default: { atMs: 0, overrides: {} },
    allowed: 'MINUTE:LIMIT, MINUTE:paused or MINUTE:open, as 10:800',
    about: 'What the operator does in the middle; may be given several times.',
    parse: (text) => {
      const [, minute, what] = /^(\d+(?:\.\d+)?):(\d{1,8}|paused|open)$/.exec(text) ?? [];
      if (minute === undefined || what === undefined) throw new Error('not allowed');
      const overrides: RoomOverrides = /^\d/.test(what)
        ? { maxActive: Number(what) }
        : { state: what as 'paused' | 'open' };
      return { atMs: Number(minute) * MINUTE_MS, overrides };
    },
  };
}
