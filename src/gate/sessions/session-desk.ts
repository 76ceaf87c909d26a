/** The line's side of sessions at gates: counts signs of life, renews tokens, ends sessions. Begins and admits nothing. */
import type { LineMetrics } from '../../line/line-metrics.ts';
import type { Visits } from '../../line/store/visits.ts';
import type { EntryTokens } from '../../line/tokens/entry-tokens.ts';
import type { SessionAnswer, SessionName, SessionReport } from './session-report.ts';

export interface SessionDeskOptions {
  visits: Pick<Visits, 'stay' | 'find' | 'leave'>;
  entryTokens: Pick<EntryTokens, 'issue'>;
  metrics: Pick<LineMetrics, 'countLeave'>;
}

export type EndOutcome = { outcome: 'ended'; tokenId: string } | { outcome: 'absent' } | { outcome: 'no-room' };

export class SessionDesk {
  readonly #options: SessionDeskOptions;

  constructor(options: SessionDeskOptions) {
    this.#options = options;
  }

  /** In parallel: the store collects the calls of one turn of the event loop. */
  async report({ seen, ended }: SessionReport): Promise<SessionAnswer[]> {
    // First: a visitor who was seen and then released must not be renewed.
    await Promise.all(ended.map((session) => this.end(session)));
    return Promise.all(seen.map((session) => this.#see(session)));
  }

  /** Ends the session, named by `tokenId` or the one that the visitor has. A waiting visitor keeps the place. */
  async end({ eventId, visitor, tokenId }: SessionReport['ended'][number]): Promise<EndOutcome> {
    const { visits, metrics } = this.#options;
    const found = await visits.find(eventId, visitor);
    if (found.outcome === 'no-room') return found;
    const { standing } = found;
    const isInside = standing.state === 'admitted' || standing.state === 'active';
    if (!isInside || (tokenId !== undefined && tokenId !== standing.tokenId)) return { outcome: 'absent' };
    const left = await visits.leave(eventId, visitor, standing.tokenId);
    if (left.outcome !== 'left') return left;
    metrics.countLeave(left.from);
    return { outcome: 'ended', tokenId: standing.tokenId };
  }

  /** By the rules of a heartbeat, for this session only. */
  async #see({ eventId, visitor, tokenId }: SessionName): Promise<SessionAnswer> {
    const found = await this.#options.visits.stay(eventId, visitor, tokenId);
    if (found.outcome === 'no-room') return { outcome: 'ended' };
    const { standing, crowd } = found;
    const isInside = standing.state === 'admitted' || standing.state === 'active';
    if (!isInside || standing.tokenId !== tokenId) return { outcome: 'ended' };
    const stands = {
      outcome: 'stands' as const,
      expiresAt: standing.expiresAt,
      sessionMs: crowd.settings.activeTtlMs,
    };
    if (standing.state === 'admitted') return stands;
    return { ...stands, token: this.#options.entryTokens.issue(eventId, visitor, standing) };
  }
}
