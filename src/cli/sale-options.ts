/** The options that describe a sale and its visitors, shared by `simulate` and `rehearse`. */
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
      integer({ default: 10_000, min: 1, max: 10_000_000, about: 'Number of visitors.' }),
      '10000, or the sum of the CSV file',
    ),
  ),
  arrivals: option(
    'CURVE',
    text({
      default: 'burst',
      pattern: /^(burst|steady|.+\.csv)$/,
      allowed: 'burst, steady, or a CSV file with rows time,visitors (docs/guides/simulate.md)',
      about: 'How visitors arrive: most at the opening (burst), evenly (steady), or as in a recorded sale (CSV).',
    }),
  ),
  'arrival-minutes': option(
    'MIN',
    optional(minutes('Period over which visitors arrive.'), '5 for burst, the whole sale for steady'),
  ),
  shopping: option('TIME', shoppingTime({ default: '180', about: 'How long visitors stay inside, in seconds.' })),
  'drop-out': option(
    'SHARE',
    share({ default: 0, about: 'Share of visitors who abandon the line, half of them silently.' }),
  ),
  patience: option('MIN', withDefault(15, minutes('How long they wait before they abandon, on average.'))),
  'no-show': option('SHARE', share({ default: 0, about: 'Share of visitors who are admitted but do not enter.' })),
  seed: option(
    'N',
    integer({ default: 1, min: 0, max: 4_294_967_295, about: 'Random seed. The same seed gives the same visitors.' }),
  ),
};

export const saleOptions = {
  ...crowdOptions,
  limit: option(
    'N',
    integer({ default: 500, min: 0, max: 10_000_000, about: 'Maximum visitors inside at once (maxActive).' }),
  ),
  rate: option('N', number('Maximum admissions per second (admitPerSecond).', { above: 0, max: 100_000 })),
  change: repeatable('MIN:WHAT', change()),
  seats: option(
    'N',
    optional(
      integer({ default: 0, min: 1, max: 10_000_000, about: 'Seats on sale. The sale ends when the last is sold.' }),
      'none: seats are not simulated',
    ),
  ),
  'seats-per-buyer': option('N', integer({ default: 1, min: 1, max: 100, about: 'Seats per buyer.' })),
  buying: option('SHARE', share({ default: 1, about: 'Share of entered visitors who buy.' })),
  minutes: option('MIN', withDefault(180, minutes('Maximum length of the sale.'))),
  'goal-minutes': option('MIN', withDefault(60, minutes('Target length of the sale, for the recommendation.'))),
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
  // Validated here so that the message can name the source.
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
  const problem = `--${name} ${path}: expected a JSON object of options, such as {"limit": 200}, or NAME=VALUE,NAME=VALUE`;
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
    throw new OptionsError(`--${name} ${path}: cannot read the file (${(error as NodeJS.ErrnoException).code})`);
  }
}

/** The value of every option as text: as given, else its default. */
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
  return { ...number(about, { above: 0, max: 10_080 }), allowed: 'minutes, more than 0, up to 10080 (a week)' };
}

export function number(about: string, { above, max }: { above: number; max: number }): Setting<number | undefined> {
  return {
    type: 'number',
    default: undefined,
    allowed: `a number greater than ${above}, up to ${max}`,
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
    allowed: 'MINUTE:LIMIT, MINUTE:paused or MINUTE:open, such as 10:800',
    about: 'A change by the operator during the sale. Repeatable.',
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
