/** The syntax that rules and access entries share: paths, methods, event ids. */
export const EVENT_ID = /^[A-Za-z0-9_-]{1,64}$/;
export const EVENT_ID_WORDS = '1 to 64 letters, digits, _ or -';
export const EVENT_SEGMENT = '{eventId}';
const METHOD = /^[A-Z]{1,20}$/;
const LITERAL = /^[^\s/\\;?#%*{}]+$/;

/** Notes a problem unless `isRight`, which it returns. */
export type Check = (isRight: boolean, field: string, message: string) => boolean;

/** `/api/seats/**`: see `Rule.path`. */
export function isPattern(path: unknown): boolean {
  if (typeof path !== 'string' || path[0] !== '/' || path.length > 1024) return false;
  if (path === '/') return true;
  const segments = path.slice(1).split('/');
  const isRight = (segment: string, index: number) =>
    segment === '*' ||
    segment === EVENT_SEGMENT ||
    (segment === '**' && index === segments.length - 1) ||
    (LITERAL.test(segment) && !segment.endsWith('.'));
  return segments.every(isRight) && segments.filter((segment) => segment === EVENT_SEGMENT).length <= 1;
}

export function areMethods(methods: unknown): boolean {
  return Array.isArray(methods) && methods.length > 0 && methods.every((name) => METHOD.test(String(name)));
}

export function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
