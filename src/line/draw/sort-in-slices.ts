/** Sorts a million items without blocking the event loop: a pure generator that yields between slices. */

/** Items between two yields: a few milliseconds. */
const SLICE = 10_000;
const SORTED_PER_SLICE = 4_000;
const BUCKETS = 65_536;
/** Up to this size an insertion sort is faster than `TypedArray.sort`. */
const INSERTION_SORT_MAX = 32;

/**
 * The indexes of `heads` (integers below 2^48) in ascending order of the heads; `compareRest` decides between equal
 * heads. Sorts into buckets by the highest 16 bits, then each bucket separately. Uniform heads, such as hashes, make
 * small buckets; others only take longer.
 */
export function* sortInSlices(
  heads: Float64Array,
  compareRest: (a: number, b: number) => number,
): Generator<void, Uint32Array> {
  const compare = (a: number, b: number) => heads[a]! - heads[b]! || compareRest(a, b);
  const ends = yield* countBuckets(heads);
  const order = yield* fillBuckets(heads, ends);
  let yieldedAt = 0;
  for (let bucket = 0; bucket < BUCKETS; bucket += 1) {
    const [from, to] = [ends[bucket]!, ends[bucket + 1]!];
    if (to - from > INSERTION_SORT_MAX) order.subarray(from, to).sort(compare);
    else insertionSort(order, from, to, compare);
    if (to - yieldedAt < SORTED_PER_SLICE) continue;
    yieldedAt = to;
    yield;
  }
  return order;
}

const bucketOf = (head: number): number => Math.floor(head / 2 ** 32);

/** Where each bucket ends and the next begins. */
function* countBuckets(heads: Float64Array): Generator<void, Uint32Array> {
  const ends = new Uint32Array(BUCKETS + 1);
  for (let index = 0; index < heads.length; index += 1) {
    ends[bucketOf(heads[index]!) + 1]! += 1;
    if (index % SLICE === 0) yield;
  }
  for (let bucket = 0; bucket < BUCKETS; bucket += 1) ends[bucket + 1]! += ends[bucket]!;
  return ends;
}

function* fillBuckets(heads: Float64Array, ends: Uint32Array): Generator<void, Uint32Array> {
  const next = ends.slice();
  const order = new Uint32Array(heads.length);
  for (let index = 0; index < heads.length; index += 1) {
    const bucket = bucketOf(heads[index]!);
    order[next[bucket]!] = index;
    next[bucket]! += 1;
    if (index % SLICE === 0) yield;
  }
  return order;
}

function insertionSort(order: Uint32Array, from: number, to: number, compare: (a: number, b: number) => number): void {
  for (let next = from + 1; next < to; next += 1) {
    const item = order[next]!;
    let at = next;
    for (; at > from && compare(order[at - 1]!, item) > 0; at -= 1) order[at] = order[at - 1]!;
    order[at] = item;
  }
}
