/** What operators read in the audit trail about an outage in which a gate let visitors pass. */
import type { OutageReport } from './fail-open.ts';

/** `gate`: names the process. */
export function toOutageAction(gate: string, { eventId, passed, perSecond, ...times }: OutageReport) {
  const toText = (at: number) => new Date(at).toISOString();
  const { downSince, openedAt, closedAt } = times;
  const details = { gate, passed, perSecond, downSince: toText(downSince), openedAt: toText(openedAt) };
  return { action: 'fail open', by: 'system', eventId, details: { ...details, closedAt: toText(closedAt) } };
}
