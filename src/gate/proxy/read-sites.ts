/** The file of a gate in front of several sites (GATE_SITES_FILE), and its validation. Every problem names its field. */
import { type RuleBook, readRules } from '../decision/rules.ts';

export interface SiteEntry {
  /** In lower case: a host name, an IP address, or `*.` and a host name. */
  hosts: readonly string[];
  /** An origin without a path. */
  upstream: string;
  /** undefined: the rules of the gate. */
  rules: RuleBook | undefined;
  /** Where admitted visitors go if the page they wanted is not known: a path, with `{eventId}`. */
  target: string | undefined;
}

export type ReadSites = { outcome: 'read'; sites: SiteEntry[] } | { outcome: 'invalid'; problems: string[] };

const MOST_SITES = 1_000;
const MOST_HOSTS = 100;
const LONGEST_TARGET = 512;
const HOST = /^(?:\*\.)?(?=.{1,253}$)[a-z0-9_](?:[a-z0-9_-]{0,62})(?:\.[a-z0-9_][a-z0-9_-]{0,62})*$|^\[[0-9a-f:.]+\]$/;
const ORIGIN = /^https?:\/\/[A-Za-z0-9.:[\]_-]+$/;
/** A path of this site, without anything that browsers or servers could read as another origin. */
const TARGET = /^\/(?!\/)[A-Za-z0-9._~/?=&%+,:@{}-]*$/;
const fields = ['hosts', 'upstream', 'rules', 'target', 'about'];

export function readSites(json: unknown): ReadSites {
  const problems: string[] = [];
  const check = (isRight: boolean, field: string, message: string): boolean => {
    if (!isRight) problems.push(`${field} ${message}`);
    return isRight;
  };
  const list = isObject(json) ? json.sites : undefined;
  if (isObject(json)) {
    for (const name of Object.keys(json)) check(name === 'sites', name, 'is not a known field');
  }
  const isList = Array.isArray(list) && list.length > 0 && list.length <= MOST_SITES;
  if (!check(isList, 'sites', `must be a list of 1 to ${MOST_SITES} sites`)) return { outcome: 'invalid', problems };
  const sites = (list as unknown[]).map((site, index) => readSite(site, `sites[${index}]`, check));
  checkHostsOnce(sites, check);
  return problems.length > 0 ? { outcome: 'invalid', problems } : { outcome: 'read', sites };
}

type Check = (isRight: boolean, field: string, message: string) => boolean;

function readSite(json: unknown, at: string, check: Check): SiteEntry {
  const nothing = { hosts: [], upstream: '', rules: undefined, target: undefined };
  if (!isObject(json)) {
    check(false, at, 'must be an object');
    return nothing;
  }
  for (const name of Object.keys(json)) check(fields.includes(name), `${at}.${name}`, 'is not a known field');
  const { hosts, upstream, rules, target, about } = json;
  const isOrigin = typeof upstream === 'string' && ORIGIN.test(upstream) && URL.canParse(upstream);
  check(isOrigin, `${at}.upstream`, 'must be an http or https origin without a path, such as http://host:8080');
  check(
    target === undefined || (typeof target === 'string' && TARGET.test(target) && target.length <= LONGEST_TARGET),
    `${at}.target`,
    'must be a path such as /shop/{eventId}',
  );
  check(about === undefined || typeof about === 'string', `${at}.about`, 'must be text');
  return {
    hosts: readHosts(hosts, at, check),
    upstream: upstream as string,
    rules: rules === undefined ? undefined : readSiteRules(rules, `${at}.rules`, check),
    target: target as string | undefined,
  };
}

function readHosts(hosts: unknown, at: string, check: Check): string[] {
  const isList = Array.isArray(hosts) && hosts.length > 0 && hosts.length <= MOST_HOSTS;
  if (!check(isList, `${at}.hosts`, `must be a list of 1 to ${MOST_HOSTS} host names`)) return [];
  return (hosts as unknown[]).map((host, index) => {
    const text = typeof host === 'string' ? host.toLowerCase() : '';
    const why = 'must be a host name without a port, such as shop.example or *.shop.example';
    check(HOST.test(text), `${at}.hosts[${index}]`, why);
    return text;
  });
}

function readSiteRules(json: unknown, at: string, check: Check): RuleBook | undefined {
  const read = readRules(json);
  if (read.outcome === 'read') return read.book;
  for (const { message } of read.problems) check(false, `${at}: ${message}`, '');
  return undefined;
}

/** The gate could not tell which of two sites a request is for. */
function checkHostsOnce(sites: readonly SiteEntry[], check: Check): void {
  const seen = new Set<string>();
  for (const [index, { hosts }] of sites.entries()) {
    for (const [at, host] of hosts.entries()) {
      check(host === '' || !seen.has(host), `sites[${index}].hosts[${at}]`, `repeats ${host}`);
      seen.add(host);
    }
  }
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
