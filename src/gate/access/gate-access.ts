/** What a running gate adds to its rules: the current access list, verified crawlers, and the count of every bypass. */
import type { AccessEntry } from '../decision/access-entries.ts';
import type { GateRequest } from '../decision/gate-request.ts';
import type { AccessJudge, Bypass } from '../decision/judge-access.ts';
import { type AccessList, createJudges } from './access-list.ts';
import type { BypassNote } from './bypass-log.ts';
import type { CrawlerVerifier } from './verify-crawlers.ts';

export interface GateAccess {
  judge(): AccessJudge;
  /** The request, with the crawler that it is known to come from. */
  see(request: GateRequest): GateRequest;
  /** Counts a request that passed without tokens. */
  note(bypass: Bypass, request: GateRequest): void;
}

export interface GateAccessOptions {
  list: AccessList;
  /** The entries of the rules file. */
  fixed: readonly AccessEntry[] | undefined;
  crawlers: Pick<CrawlerVerifier, 'find'>;
  /** Called for every bypass. */
  onBypass: (note: BypassNote) => void;
}

const UNKNOWN_ADDRESS = 'unknown';

export function createGateAccess({ list, fixed, crawlers, onBypass }: GateAccessOptions): GateAccess {
  const judge = createJudges(list, fixed);
  return {
    judge,
    see(request) {
      const { crawlers: wanted } = judge();
      if (wanted.size === 0) return request;
      const { 'user-agent': agent } = request.headers;
      const crawler = crawlers.find(wanted, typeof agent === 'string' ? agent : undefined, request.address);
      return { ...request, crawler };
    },
    note: (bypass, { address }) => onBypass({ ...bypass, from: address ?? UNKNOWN_ADDRESS, requests: 1 }),
  };
}
