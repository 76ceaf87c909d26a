/** Which methods an address has, for 405 responses: the router only says that a method of an address is not there. */
import type { FastifyInstance } from 'fastify';

interface Segment {
  methods: Set<string>;
  /** By their text; `:` is any text, `*` is the whole rest. */
  next: Map<string, Segment>;
}

/** Returns the methods of the address that a URL names, in the order in which they were registered. */
export type FindMethods = (url: string) => string[];

/** Call it before any route is registered. */
export function trackMethods(app: FastifyInstance): FindMethods {
  const root = createSegment();
  app.addHook('onRoute', ({ method, url }) => {
    let segment = root;
    for (const text of url.split('/')) segment = nextOf(segment, text.startsWith(':') ? ':' : text);
    for (const name of [method].flat()) segment.methods.add(name);
  });
  return (url) => [...find(root, pathOf(url).split('/'), 0)];
}

/** The router has checked the encoding of the URL. */
function pathOf(url: string): string {
  return decodeURI(url.split('?', 1)[0]!);
}

function createSegment(): Segment {
  return { methods: new Set(), next: new Map() };
}

function nextOf(segment: Segment, text: string): Segment {
  const next = segment.next.get(text) ?? createSegment();
  segment.next.set(text, next);
  return next;
}

/** The methods of the first route that matches: text goes before parameters, and those before wildcards. */
function find(segment: Segment, texts: readonly string[], at: number): readonly string[] {
  if (at === texts.length) return [...segment.methods];
  for (const key of [texts[at]!, ':']) {
    const next = segment.next.get(key);
    const found = next === undefined ? [] : find(next, texts, at + 1);
    if (found.length > 0) return found;
  }
  return [...(segment.next.get('*')?.methods ?? [])];
}
