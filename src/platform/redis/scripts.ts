/**
 * Loads Lua scripts and runs them by hash. A line `--- @include name` in a script inserts `includes/name.lua` before it,
 * each file once, in order.
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

/**
 * Loads all scripts into Redis, so the first calls keep their order and need not send the source. A server of a cluster that
 * does not answer gets them with the first call.
 */
export async function preloadScripts(client: RedisClient): Promise<void> {
  const nodes = mastersOf(client).map((node) => Promise.all(loaded.map(({ source }) => node.script('LOAD', source))));
  const failures = (await Promise.allSettled(nodes)).filter((outcome) => outcome.status === 'rejected');
  if (failures.length > 0 && failures.length === nodes.length) throw failures[0]!.reason;
}

export function mastersOf(client: RedisClient): Redis[] {
  return 'nodes' in client ? client.nodes('master') : [client];
}

/** As operators know it. The master of sentinels has no address of its own: it changes. */
export function nameOfServer({ options: { host, port, sentinels, name } }: Redis): string {
  return sentinels ? `Redis master ${name}` : `Redis at ${host}:${port}`;
}

/** Sends the source if the server does not have the script, on whichever node of a cluster. */
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
