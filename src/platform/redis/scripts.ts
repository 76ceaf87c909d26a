/**
 * Loads Lua scripts and runs them by their hash. A script names the functions it is made of with lines
 * `--- @include name`; each, from the folder `includes` beside it, is put before it once, in order.
 */
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import type { Cluster, Redis } from 'ioredis';

export type RedisClient = Redis | Cluster;
export type ScriptArgument = string | number | Buffer;

export interface Script {
  readonly source: string;
  readonly sha: string;
}

const INCLUDE = /^--- @include (\S+)\n/gm;

const loaded: Script[] = [];

export function loadScript(file: URL): Script {
  const includes = new URL('includes/', file);
  const source = readWithIncludes(file, includes, new Set());
  const script = { source, sha: createHash('sha1').update(source).digest('hex') };
  loaded.push(script);
  return script;
}

/** Makes all scripts known beforehand, so that the first calls keep their order and nobody waits for one to be sent. */
export async function preloadScripts(client: RedisClient): Promise<void> {
  await Promise.all(mastersOf(client).flatMap((node) => loaded.map(({ source }) => node.script('LOAD', source))));
}

export function mastersOf(client: RedisClient): Redis[] {
  return 'nodes' in client ? client.nodes('master') : [client];
}

/** A server that does not know the script yet, or no more, gets its source; this works on each node of a cluster. */
export async function runScript(client: RedisClient, script: Script, keys: string[], args: ScriptArgument[]) {
  try {
    return await client.evalsha(script.sha, keys.length, ...keys, ...args);
  } catch (error) {
    if (!isUnknownScript(error)) throw error;
    return await client.eval(script.source, keys.length, ...keys, ...args);
  }
}

export function isUnknownScript(error: unknown): boolean {
  return error instanceof Error && error.message.startsWith('NOSCRIPT');
}

function readWithIncludes(file: URL, folder: URL, seen: Set<string>): string {
  if (seen.has(file.href)) return '';
  seen.add(file.href);
  const text = readFileSync(file, 'utf8');
  const includes = [...text.matchAll(INCLUDE)].map(([, name]) =>
    readWithIncludes(new URL(`${name}.lua`, folder), folder, seen),
  );
  return includes.join('') + text.replace(INCLUDE, '');
}
