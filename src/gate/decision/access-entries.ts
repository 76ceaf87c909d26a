/**
 * Access entries: who passes without tokens (`bypass`), who never passes (`block`), and who alone may pass an event
 * (`allow-only`); and their validation. All conditions of an entry must hold. A malformed entry is refused as a whole.
 */
import { type AddressRange, parseRange } from './address-ranges.ts';
import { areMethods, type Check, EVENT_ID, EVENT_ID_WORDS, isObject, isPattern } from './rule-syntax.ts';

export const effects = ['bypass', 'block', 'allow-only'] as const;
export type Effect = (typeof effects)[number];

/** Crawlers that can be verified by DNS; see lookups of `src/gate/access/`. */
export const crawlers = ['googlebot', 'bingbot', 'applebot', 'yandexbot', 'baiduspider', 'yeti'] as const;
export type Crawler = (typeof crawlers)[number];

export interface AccessEntry {
  /** Names the entry in the audit trail: `access[2]`, or the id of a live one. */
  id: string;
  effect: Effect;
  /** Without bits beyond the prefix. */
  addresses?: readonly string[];
  header?: SecretCondition;
  cookie?: SecretCondition;
  methods?: readonly string[];
  paths?: readonly string[];
  events?: readonly string[];
  crawler?: readonly Crawler[];
  /** undefined: for ever. */
  expiresAt?: number;
}

/** A header or cookie that must carry a secret. */
export interface SecretCondition {
  name: string;
  secret: SecretSource;
}

/** Only `hash` (SHA-256 in hex) ever matches; the others are resolved when the rules are loaded. */
export type SecretSource = { hash: string } | { text: string } | { env: string } | { file: string };

export const MOST_ENTRIES = 1_000;
export const SECRET_LENGTH = { min: 16, max: 256 };
const MOST_VALUES = 1_000;
const MOST_PATHS = 50;
const FIELDS = ['effect', 'addresses', 'header', 'cookie', 'methods', 'paths', 'events', 'crawler', 'about'];
/** What may be a header or cookie name. Underscores are excluded: proxies drop or rewrite such headers. */
const HEADER_NAME = /^[A-Za-z][A-Za-z0-9-]{0,63}$/;
const COOKIE_NAME = /^[A-Za-z0-9_.-]{1,64}$/;
/** Headers that say something else already. */
const RESERVED_HEADERS = ['authorization', 'cookie', 'host', 'connection', 'content-length', 'transfer-encoding'];
const ENV_NAME = /^[A-Za-z_][A-Za-z0-9_]{0,127}$/;

/** The list of a rules file. Returns what was read; problems are noted by `check`. */
export function readAccess(json: unknown, check: Check): AccessEntry[] {
  if (json === undefined) return [];
  const isList = Array.isArray(json) && json.length <= MOST_ENTRIES;
  if (!check(isList, 'access', `must be a list of at most ${MOST_ENTRIES} entries`)) return [];
  return (json as unknown[]).flatMap((entry, index) => readAccessEntry(entry, `access[${index}]`, check) ?? []);
}

/** `at`: the name of the entry in problems, and its id. */
export function readAccessEntry(json: unknown, at: string, check: Check): AccessEntry | undefined {
  if (!check(isObject(json), at, 'must be an object')) return undefined;
  const given = json as Record<string, unknown>;
  const field = (name: string) => (at === '' ? name : `${at}.${name}`);
  for (const name of Object.keys(given)) check(FIELDS.includes(name), field(name), 'is not a known field');
  const { effect, about, ...conditions } = given;
  check(effects.includes(effect as Effect), field('effect'), `must be one of ${effects.join(', ')}`);
  check(about === undefined || typeof about === 'string', field('about'), 'must be text');
  checkConditions(conditions, field, check);
  const { addresses, header, cookie, methods, paths, events, crawler } = conditions;
  const says = [addresses, header, cookie, methods, paths, crawler].filter((value) => value !== undefined);
  check(
    says.length > 0,
    at === '' ? 'effect' : at,
    'needs at least one of addresses, header, cookie, crawler, methods, paths',
  );
  if (effect === 'allow-only') {
    check(events !== undefined, field('events'), 'is required with effect allow-only');
    // Doors apply it too, where browsers send no headers of their own and paths are ours.
    const others = [header, methods, paths, crawler].some((value) => value !== undefined);
    check(!others, field('effect'), 'allow-only takes only addresses, cookie and events');
  }
  return { id: at, effect: effect as Effect, ...withSecrets(conditions) } as AccessEntry;

  function withSecrets(fields: Record<string, unknown>): Record<string, unknown> {
    const secrets = {
      ...(header === undefined ? {} : { header: readSecret(header, field('header'), HEADER_NAME, check) }),
      ...(cookie === undefined ? {} : { cookie: readSecret(cookie, field('cookie'), COOKIE_NAME, check) }),
    };
    const defined = Object.entries(fields).filter(([name, value]) => value !== undefined && FIELDS.includes(name));
    return { ...Object.fromEntries(defined), ...secrets };
  }
}

/** The ranges of validated texts. */
export function toRanges(addresses: readonly string[]): AddressRange[] {
  return addresses.map(parseRange).filter((range) => typeof range !== 'string');
}

/** Checks a list of addresses; also used for bans. */
export function checkAddresses(addresses: unknown, field: string, check: Check): void {
  const isList = isTextList(addresses, MOST_VALUES);
  if (!check(isList, field, `must be a list of 1 to ${MOST_VALUES} IP addresses or CIDR ranges`)) return;
  for (const [index, text] of (addresses as string[]).entries()) {
    const range = parseRange(text);
    check(typeof range !== 'string', `${field}[${index}]`, `is invalid: ${range as string}`);
  }
}

function checkConditions(given: Record<string, unknown>, field: (name: string) => string, check: Check): void {
  const { addresses, methods, paths, events, crawler } = given;
  if (addresses !== undefined) checkAddresses(addresses, field('addresses'), check);
  check(methods === undefined || areMethods(methods), field('methods'), 'must be a list of upper-case methods');
  check(
    paths === undefined || (isTextList(paths, MOST_PATHS) && paths.every(isPattern)),
    field('paths'),
    `must be a list of 1 to ${MOST_PATHS} paths such as /status or /api/**`,
  );
  check(
    events === undefined || (isTextList(events, MOST_VALUES) && events.every((id) => EVENT_ID.test(id))),
    field('events'),
    `must be a list of event ids (${EVENT_ID_WORDS})`,
  );
  check(
    crawler === undefined || (isTextList(crawler, crawlers.length) && crawler.every(isCrawler)),
    field('crawler'),
    `must be a list of ${crawlers.join(', ')}`,
  );
}

function readSecret(json: unknown, at: string, name: RegExp, check: Check): SecretCondition | undefined {
  if (!check(isObject(json), at, 'must be an object with name and secret, env or file')) return undefined;
  const given = json as Record<string, unknown>;
  const isName = typeof given.name === 'string' && name.test(given.name);
  check(isName && !RESERVED_HEADERS.includes(String(given.name).toLowerCase()), `${at}.name`, 'must be another name');
  const sources = Object.keys(given).filter((key) => key !== 'name');
  const [source = ''] = sources;
  const isOne = sources.length === 1 && ['secret', 'env', 'file'].includes(source);
  if (!check(isOne, at, 'must have exactly one of secret, env, file')) return undefined;
  const value = given[source];
  const isText = typeof value === 'string' && value !== '';
  if (source === 'secret') check(isSecret(value), `${at}.secret`, SECRET_WORDS);
  else if (source === 'env') check(isText && ENV_NAME.test(value), `${at}.env`, 'must name an environment variable');
  else check(isText && value.length <= 1_024, `${at}.file`, 'must name a file');
  const key = source === 'secret' ? 'text' : source;
  return { name: String(given.name), secret: { [key]: value } as SecretSource };
}

export const SECRET_WORDS = `must have ${SECRET_LENGTH.min} to ${SECRET_LENGTH.max} visible ASCII characters`;

/** As a header or cookie value carries it. */
export function isSecret(value: unknown): value is string {
  const { min, max } = SECRET_LENGTH;
  return typeof value === 'string' && value.length >= min && value.length <= max && /^[\x21-\x7e]+$/.test(value);
}

function isCrawler(value: string): value is Crawler {
  return crawlers.includes(value as Crawler);
}

function isTextList(value: unknown, most: number): value is string[] {
  return (
    Array.isArray(value) && value.length > 0 && value.length <= most && value.every((one) => typeof one === 'string')
  );
}
