/** The sites behind `fairline gate`: one from the settings, or several from GATE_SITES_FILE. One pool per upstream. */
import type { Registry } from 'prom-client';
import type { GateConfig } from '../config/gate-settings.ts';
import { findVariable } from '../config/read-config.ts';
import { resolveSecrets } from '../gate/access/resolve-secrets.ts';
import type { Pass } from '../gate/decision/decision.ts';
import { isForLine, lineRules } from '../gate/decision/line-paths.ts';
import type { RuleBook } from '../gate/decision/rules.ts';
import type { Guard } from '../gate/guard.ts';
import { loadRules } from '../gate/load-rules.ts';
import { createDestination, type Destination, REQUESTS_AT_MOST, UPLOADS_AT_MOST } from '../gate/proxy/destination.ts';
import type { FindSite } from '../gate/proxy/proxy.ts';
import { readSites, type SiteEntry } from '../gate/proxy/read-sites.ts';
import { measureDestinations } from '../gate/proxy/refusals.ts';
import { createSiteTable } from '../gate/proxy/site-table.ts';
import { RecentMap } from '../platform/collections/recent-map.ts';
import { readJsonFile } from '../platform/settings/json-file.ts';
import { SettingsError } from '../platform/settings/settings.ts';

/** What is configured. */
export interface GateSites {
  /** `hosts` is empty for a single site, which gets all requests. */
  sites: readonly (Omit<SiteEntry, 'rules'> & { rules: RuleBook })[];
  isSingle: boolean;
}

export interface OpenedSites {
  findSite: FindSite;
  close(): void;
}

/** For `isForLine`. A crowd requests few different targets. */
const REMEMBERED_TARGETS = 1_000;
const LONGEST_REMEMBERED = 256;

export async function loadSites({ upstream, rulesFile, sitesFile }: GateConfig): Promise<GateSites> {
  const rules = await loadRules(rulesFile, findVariable);
  if (sitesFile === undefined) {
    return { sites: [{ hosts: [], upstream: upstream ?? '', rules, target: undefined }], isSingle: true };
  }
  if (upstream !== undefined) {
    throw new SettingsError('GATE_UPSTREAM and GATE_SITES_FILE are both set: expected one of them');
  }
  const file = readJsonFile('GATE_SITES_FILE', sitesFile);
  const read = readSites(file.content);
  if (read.outcome === 'invalid') throw file.reject(read.problems.join('; '));
  const sites = await Promise.all(
    read.sites.map(async (site, index) => {
      if (site.rules === undefined) return { ...site, rules };
      const resolved = await resolveSecrets(site.rules, findVariable);
      if (resolved.outcome === 'wrong') throw file.reject(`sites[${index}].rules: ${resolved.problem}`);
      return { ...site, rules: resolved.book };
    }),
  );
  return { sites, isSingle: false };
}

export function openSites(
  { sites, isSingle }: GateSites,
  { lineUrl, streams }: GateConfig,
  { registry, createGuard }: { registry: Registry; createGuard: (book: RuleBook, upstream: string) => Guard },
): OpenedSites {
  const capacity = { request: REQUESTS_AT_MOST, upload: UPLOADS_AT_MOST, stream: streams };
  const line = lineUrl === undefined ? undefined : createDestination(lineUrl, capacity);
  const pools = new Map<string, Destination>();
  const poolOf = (upstream: string): Destination => {
    const pool = pools.get(upstream) ?? createDestination(upstream, capacity);
    pools.set(upstream, pool);
    return pool;
  };
  const withLine = (book: RuleBook): RuleBook =>
    line === undefined ? book : { ...book, rules: [...lineRules, ...book.rules] };
  const opened = sites.map(({ hosts, upstream, rules, target }) => ({
    ...{ hosts, target, guard: createGuard(withLine(rules), upstream) },
    route: createRoute(poolOf(upstream), line),
  }));
  const named = isSingle ? { site: poolOf(sites[0]!.upstream) } : Object.fromEntries(pools);
  measureDestinations(registry, { ...named, ...(line && { line }) });
  const [single] = opened;
  return {
    findSite: isSingle ? () => single : createSiteTable(opened),
    close() {
      for (const pool of pools.values()) pool.close();
      line?.close();
    },
  };
}

function createRoute(site: Destination, line: Destination | undefined): (pass: Pass) => Destination {
  if (line === undefined) return () => site;
  const known = new RecentMap<Destination>(REMEMBERED_TARGETS);
  return ({ target }) => {
    const found = known.get(target);
    if (found !== undefined) return found;
    const destination = isForLine(target) ? line : site;
    if (target.length <= LONGEST_REMEMBERED) known.set(target, destination);
    return destination;
  };
}
