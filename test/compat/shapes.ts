/** What a field of an answer must be. Fields that a shape does not name are allowed: clients ignore them. */

/** Returns one line per problem. */
export type Check = (value: unknown, at: string) => string[];
export type Shape = Check | { readonly [field: string]: Shape };

export function findMisfits(shape: Shape, value: unknown, at = 'body'): string[] {
  if (typeof shape === 'function') return shape(value, at);
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return [describe(at, 'an object', value)];
  return Object.entries(shape).flatMap(([name, field]) =>
    findMisfits(field, (value as Record<string, unknown>)[name], `${at}.${name}`),
  );
}

export const text = check('text', (value) => typeof value === 'string');
/** Text that is shown or used as an id. */
export const filledText = check('text that is not empty', (value) => typeof value === 'string' && value !== '');
export const number = check('a number', (value) => typeof value === 'number' && Number.isFinite(value));
export const whole = check('a whole number', (value) => Number.isInteger(value));
export const boolean = check('true or false', (value) => typeof value === 'boolean');
export const nothing = check('null', (value) => value === null);
export const absent = check('absent', (value) => value === undefined);
export const isoTime = check(
  'an ISO 8601 time',
  (value) => typeof value === 'string' && /^\d{4}-\d\d-\d\dT/.test(value) && !Number.isNaN(Date.parse(value)),
);
export const uuid = check(
  'a UUID',
  (value) => typeof value === 'string' && /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i.test(value),
);
export const jwt = check('a JWT', (value) => typeof value === 'string' && /^[\w-]+\.[\w-]+\.[\w-]+$/.test(value));

export function is(expected: string | number | boolean): Check {
  return check(JSON.stringify(expected), (value) => value === expected);
}

export function atLeast(least: number): Check {
  return check(`a number from ${least}`, (value) => typeof value === 'number' && value >= least);
}

export function oneOf(...expected: readonly (string | number)[]): Check {
  return check(`one of ${JSON.stringify(expected)}`, (value) => expected.includes(value as string));
}

export function matching(pattern: RegExp): Check {
  return check(`text that matches ${pattern}`, (value) => typeof value === 'string' && pattern.test(value));
}

/** Absent or null, or like `shape`. */
export function maybe(shape: Shape): Check {
  return (value, at) => (value === undefined || value === null ? [] : findMisfits(shape, value, at));
}

export function listOf(shape: Shape, { min = 0 }: { min?: number } = {}): Check {
  return (value, at) => {
    if (!Array.isArray(value)) return [describe(at, 'a list', value)];
    if (value.length < min) return [`${at} has ${value.length} items; expected: at least ${min}`];
    return value.flatMap((item, index) => findMisfits(shape, item, `${at}[${index}]`));
  };
}

/** A list whose first item is like `shape`. */
export function beginsWith(shape: Shape): Check {
  return (value, at) =>
    Array.isArray(value) ? findMisfits(shape, value[0], `${at}[0]`) : [describe(at, 'a list', value)];
}

function check(expected: string, fits: (value: unknown) => boolean): Check {
  return (value, at) => (fits(value) ? [] : [describe(at, expected, value)]);
}

function describe(at: string, expected: string, value: unknown): string {
  return `${at} is ${value === undefined ? 'absent' : JSON.stringify(value)}; expected: ${expected}`;
}
