/**
 * Sees the head of a response inside an application just before it is sent, and adds to it. Last, so that no framework can
 * replace what was added. Uses no Node APIs.
 */
import type { Headers } from './decision/gate-request.ts';
import { RELEASE_HEADER } from './decision/pass-headers.ts';
import type { SiteResponse } from './guard.ts';

/** Node's ServerResponse. */
export interface WatchedResponse {
  writeHead(status: number, ...more: never[]): unknown;
  appendHeader(name: string, value: string): unknown;
  getHeaders?(): object;
  removeHeader?(name: string): unknown;
}

/** Returns the headers to add. */
export type OnHead = (head: Omit<SiteResponse, 'durationMs'>) => readonly [string, string][];

type WriteHead = (status: number, ...more: unknown[]) => unknown;

/** The header by which the site ends a session is removed: it is not for the visitor. */
export function watchResponse(response: WatchedResponse, onHead: OnHead): void {
  const writeHead = response.writeHead as WriteHead;
  const watched: WriteHead = (status, ...more) => {
    response.writeHead = writeHead;
    const given = more.at(-1);
    const pairs = toPairs(given);
    const headers: Headers = { ...response.getHeaders?.(), ...joined(pairs) };
    const endsSession = headers[RELEASE_HEADER] !== undefined;
    const added = onHead({ status, endsSession });
    if (!endsSession && added.length === 0) return writeHead.call(response, status, ...more);
    response.removeHeader?.(RELEASE_HEADER);
    const rest = typeof given === 'object' ? more.slice(0, -1) : more;
    const kept = joined([...pairs.filter(([name]) => name !== RELEASE_HEADER), ...withOwn(pairs, added)]);
    for (const [name, value] of added) if (!(name in kept)) response.appendHeader(name, value);
    return writeHead.call(response, status, ...rest, kept);
  };
  response.writeHead = watched;
}

/** Headers given to writeHead replace those set before, so ours must be among them. */
function withOwn(pairs: readonly Pair[], added: readonly [string, string][]): Pair[] {
  return added.filter(([name]) => pairs.some(([given]) => given === name));
}

type Pair = [name: string, value: string | string[]];

/** writeHead takes an object, or names and values alternating. */
function toPairs(given: unknown): Pair[] {
  if (typeof given !== 'object' || given === null) return [];
  const entries = Array.isArray(given) ? toEntries(given) : Object.entries(given);
  return entries.map(([name, value]) => [
    String(name).toLowerCase(),
    Array.isArray(value) ? value.map(String) : String(value),
  ]);
}

function toEntries(list: readonly unknown[]): [unknown, unknown][] {
  if (Array.isArray(list[0])) return list as [unknown, unknown][];
  const entries: [unknown, unknown][] = [];
  for (let at = 0; at + 1 < list.length; at += 2) entries.push([list[at], list[at + 1]]);
  return entries;
}

function joined(pairs: readonly Pair[]): Record<string, string | string[]> {
  const headers: Record<string, string | string[]> = {};
  for (const [name, value] of pairs) {
    const before = headers[name];
    headers[name] = before === undefined ? value : [before, value].flat();
  }
  return headers;
}
