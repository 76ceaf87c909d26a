/**
 * Verifies crawlers as their operators document it: the name of the address (reverse DNS) must be in the crawler's domain,
 * and that name must lead back to the address (forward DNS). Verdicts are remembered. Until there is one, a crawler is an
 * ordinary visitor, so no request ever waits for DNS.
 */
import { promises as dns } from 'node:dns';
import type { Clock } from '../../platform/clock.ts';
import { RecentMap } from '../../platform/collections/recent-map.ts';
import { withTimeout } from '../../platform/concurrency/with-timeout.ts';
import type { Crawler } from '../decision/access-entries.ts';
import { parseAddress } from '../decision/address-ranges.ts';

export interface Resolver {
  /** The names of an address. */
  reverse(address: string): Promise<string[]>;
  /** The addresses of a name, IPv4 and IPv6. */
  lookUp(name: string): Promise<string[]>;
}

export interface CrawlerVerifierOptions {
  clock: Clock;
  resolver?: Resolver;
}

interface Facts {
  agent: RegExp;
  domains: readonly string[];
}

/** As each operator documents its crawler. */
const facts: Readonly<Record<Crawler, Facts>> = {
  googlebot: { agent: /googlebot|google-inspectiontool/i, domains: ['googlebot.com', 'google.com'] },
  bingbot: { agent: /bingbot/i, domains: ['search.msn.com'] },
  applebot: { agent: /applebot/i, domains: ['applebot.apple.com'] },
  yandexbot: { agent: /yandex(?:bot|images)/i, domains: ['yandex.ru', 'yandex.net', 'yandex.com'] },
  baiduspider: { agent: /baiduspider/i, domains: ['baidu.com', 'baidu.jp'] },
  yeti: { agent: /yeti\//i, domains: ['web.naver.com'] },
};

const REMEMBERED = 10_000;
const MOST_LOOKUPS = 20;
const MOST_NAMES = 5;
const TIMEOUT_MS = 2_000;
const KEPT_MS = { verified: 6 * 3_600_000, refused: 600_000, failed: 60_000 };
/** Longer ones are cut: a header may have 16 KB. */
const AGENT_LENGTH = 512;

type Verdict = keyof typeof KEPT_MS;

export class CrawlerVerifier {
  readonly #clock: Clock;
  readonly #resolver: Resolver;
  readonly #verdicts = new RecentMap<{ verdict: Verdict; until: number }>(REMEMBERED);
  readonly #underWay = new Map<string, Promise<void>>();

  constructor({ clock, resolver = systemResolver }: CrawlerVerifierOptions) {
    this.#clock = clock;
    this.#resolver = resolver;
  }

  /** The crawler that the request is known to come from. Starts a verification if there is no verdict yet. */
  find(wanted: ReadonlySet<Crawler>, agent: string | undefined, address: string | undefined): Crawler | undefined {
    if (agent === undefined || address === undefined) return undefined;
    const text = agent.slice(0, AGENT_LENGTH);
    for (const crawler of wanted) {
      if (!facts[crawler].agent.test(text)) continue;
      if (this.#verdictOf(crawler, address) === 'verified') return crawler;
    }
    return undefined;
  }

  /** Resolves when all verifications that are under way have a verdict. */
  async settled(): Promise<void> {
    await Promise.all(this.#underWay.values());
  }

  #verdictOf(crawler: Crawler, address: string): Verdict | undefined {
    const key = `${crawler} ${address}`;
    const known = this.#verdicts.get(key);
    if (known !== undefined && this.#clock.now() < known.until) return known.verdict;
    // Beyond the limit, a later request tries again.
    if (!this.#underWay.has(key) && this.#underWay.size < MOST_LOOKUPS) {
      const verifying = this.#verify(crawler, address).then((verdict) => {
        this.#verdicts.set(key, { verdict, until: this.#clock.now() + KEPT_MS[verdict] });
        this.#underWay.delete(key);
      });
      this.#underWay.set(key, verifying);
    }
    return undefined;
  }

  async #verify(crawler: Crawler, address: string): Promise<Verdict> {
    try {
      return await withTimeout(TIMEOUT_MS, this.#resolve(crawler, address), 'the DNS server');
    } catch {
      return 'failed';
    }
  }

  async #resolve(crawler: Crawler, address: string): Promise<Verdict> {
    const names = (await this.#resolver.reverse(address)).slice(0, MOST_NAMES).map(toPlainName);
    const wanted = parseAddress(address)?.join();
    for (const name of names.filter((one) => facts[crawler].domains.some((domain) => one.endsWith(`.${domain}`)))) {
      const addresses = await this.#resolver.lookUp(name);
      if (wanted !== undefined && addresses.some((one) => parseAddress(one)?.join() === wanted)) return 'verified';
    }
    return 'refused';
  }
}

function toPlainName(name: string): string {
  return name.toLowerCase().replace(/\.$/, '');
}

const systemResolver: Resolver = {
  reverse: (address) => dns.reverse(address).catch(noneIfUnknown),
  async lookUp(name) {
    const found = await Promise.all([dns.resolve4(name).catch(noneIfUnknown), dns.resolve6(name).catch(noneIfUnknown)]);
    return found.flat();
  },
};

/** An address without a name is an answer; a server that does not respond is none. */
function noneIfUnknown(error: NodeJS.ErrnoException): string[] {
  if (error.code === 'ENOTFOUND' || error.code === 'ENODATA') return [];
  throw error;
}
