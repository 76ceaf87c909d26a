/**
 * Finds environment variables that look like a misspelt setting. The environment is full of variables of other programs, so
 * a name must be close to a setting that is not set itself; a shared prefix is not enough.
 */

export interface Misspelt {
  name: string;
  /** The setting that was probably meant. */
  meant: string;
}

export interface MisspeltOptions {
  /** All names that mean something. */
  known: readonly string[];
  /** Names that people try, by how much they differ from the right one. */
  synonyms: Readonly<Record<string, string>>;
  env: Readonly<Record<string, string | undefined>>;
}

/** `FAIRLINE_PORT`: our name, for those who expect one before each setting. */
const OWN_PREFIX = 'FAIRLINE_';
/** Kubernetes sets these for each service: `FAIRLINE_SERVICE_HOST`, `FAIRLINE_PORT=tcp://10.0.0.1:80`, `REDIS_PORT_6379_TCP`. */
const OF_SERVICES = /_SERVICE_(?:HOST|PORT(?:_\w+)?)$|_PORT_\d+_(?:TCP|UDP|SCTP)(?:_(?:PROTO|PORT|ADDR))?$/;
const SERVICE_ADDRESS = /^(?:tcp|udp|sctp):\/\//;
/** Shorter names are too close to too many others. */
const SHORTEST = 8;
const LONG = 12;

export function findMisspelt({ known, synonyms, env }: MisspeltOptions): Misspelt[] {
  const names = new Set(known);
  const isSet = (name: string) => env[name] !== undefined && env[name] !== '';
  return Object.entries(env).flatMap(([name, value]) => {
    if (names.has(name) || value === undefined || isOfService(name, value)) return [];
    const meant = findMeant(name, known, synonyms);
    // Who has set the right one as well has the other for another program.
    return meant === undefined || isSet(meant) ? [] : [{ name, meant }];
  });
}

function isOfService(name: string, value: string): boolean {
  return OF_SERVICES.test(name) || SERVICE_ADDRESS.test(value);
}

function findMeant(
  name: string,
  known: readonly string[],
  synonyms: Readonly<Record<string, string>>,
): string | undefined {
  const upper = name.toUpperCase();
  if (Object.hasOwn(synonyms, upper)) return synonyms[upper];
  if (upper.startsWith(OWN_PREFIX)) {
    const bare = upper.slice(OWN_PREFIX.length);
    if (known.includes(bare)) return bare;
  }
  const sameWords = known.find((other) => other.length >= SHORTEST && wordsOf(other) === wordsOf(upper));
  return sameWords ?? findNear(upper, known);
}

/** Regardless of their order: QUEUE_TOKEN_ENTRY_SECRET. */
function wordsOf(name: string): string {
  return name.split('_').sort().join(' ');
}

function findNear(name: string, known: readonly string[]): string | undefined {
  const near = known
    .filter((other) => Math.min(name.length, other.length) >= SHORTEST)
    .map((other) => ({ other, distance: distanceOf(name, other, other.length >= LONG ? 2 : 1) }))
    .filter(({ distance }) => distance !== undefined)
    .sort((a, b) => a.distance! - b.distance!);
  return near[0]?.other;
}

/** Characters to insert, remove, replace or swap with the next; undefined: more than `most`. */
export function distanceOf(a: string, b: string, most: number): number | undefined {
  if (Math.abs(a.length - b.length) > most) return undefined;
  let [beforeLast, last]: number[][] = [[], Array.from({ length: b.length + 1 }, (_, j) => j)];
  for (let i = 1; i <= a.length; i += 1) {
    const row = [i];
    for (let j = 1; j <= b.length; j += 1) {
      const isSame = a[i - 1] === b[j - 1];
      let cost = Math.min(last![j]! + 1, row[j - 1]! + 1, last![j - 1]! + (isSame ? 0 : 1));
      const isSwap = i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1];
      if (isSwap) cost = Math.min(cost, beforeLast![j - 2]! + 1);
      row.push(cost);
    }
    [beforeLast, last] = [last, row];
  }
  const distance = last![b.length]!;
  return distance <= most ? distance : undefined;
}
