/** Which requests take the fast path, and what a URL means. */

import { RecentMap } from '../collections/recent-map.ts';
import type { AnswerHead, Caller } from '../http-server/callers.ts';
import type { LabelledHistogram } from '../http-server/time-histogram.ts';

const REMEMBERED_URLS = 1_000;

export type Params = Readonly<Record<string, string>>;

/** Fastify's reply has it too. */
export interface FastHead extends AnswerHead {
  code(status: number): unknown;
}

export type FastHandler = (caller: Caller & { params: Params }, head: FastHead) => Promise<unknown>;

export interface TableRoute {
  method: string;
  /** With the prefix, as Fastify has it: `/api/queue/status/:eventId`. */
  url: string;
  params: readonly { name: string; pattern: RegExp }[];
  serialize: (answer: unknown) => string;
  handle: FastHandler;
  /** Also takes what another site sends: a proxy asks with the headers of its visitor. */
  isForAnySite?: boolean;
  /** For responses of 200, which nearly all are; set by the first one. */
  histogram?: LabelledHistogram | undefined;
}

export interface RouteMatch {
  route: TableRoute;
  params: Params;
}

interface Entry {
  route: TableRoute;
  /** The URL before its first parameter. */
  start: string;
}

export class RouteTable {
  readonly #entries: Entry[] = [];
  /** By method. A crowd requests few different URLs. */
  readonly #matches = new Map<string, RecentMap<RouteMatch>>();

  add(route: TableRoute): void {
    const start = route.params.length === 0 ? route.url : route.url.slice(0, route.url.indexOf(':'));
    this.#entries.push({ route, start });
    if (!this.#matches.has(route.method)) this.#matches.set(route.method, new RecentMap(REMEMBERED_URLS));
  }

  find(method: string, url: string): RouteMatch | undefined {
    const known = this.#matches.get(method)?.get(url);
    if (known !== undefined) return known;
    for (const { route, start } of this.#entries) {
      if (route.method !== method || !url.startsWith(start)) continue;
      const params = readParams(route, url.slice(start.length));
      if (params === undefined) continue;
      const match = { route, params };
      // A URL with more than the event in it belongs to a single visitor and is not worth remembering.
      if (route.params.length <= 1) this.#matches.get(method)!.set(url, match);
      return match;
    }
    return undefined;
  }
}

const NO_PARAMS: Params = {};

function readParams({ params }: TableRoute, rest: string): Params | undefined {
  if (params.length === 0) return rest === '' ? NO_PARAMS : undefined;
  const values = params.length === 1 ? [rest] : rest.split('/');
  if (values.length !== params.length) return undefined;
  const read: Record<string, string> = {};
  for (let i = 0; i < params.length; i += 1) {
    const { name, pattern } = params[i]!;
    if (!pattern.test(values[i]!)) return undefined;
    read[name] = values[i]!;
  }
  return read;
}
