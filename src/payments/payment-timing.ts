/** How long each step of a payment may take. */
export interface PaymentTiming {
  /** How long a buyer's request waits for the provider. */
  timeoutMs: number;
  /** How long the purchased items are kept at least, from the request to the provider. */
  keepMs: number;
  /** When the keeper checks a payment that no request has brought to its end. */
  checkAfterMs: number;
  /** When an order that the provider does not know counts as declined: a request that late no longer arrives. */
  abandonMs: number;
}

const KEEP_MS = 60_000;
const ABANDON_MS = 60_000;
/** The keeper starts a little after the buyer's request has timed out. */
const CHECK_DELAY_MS = 1_000;

export function toPaymentTiming(timeoutMs: number): PaymentTiming {
  return { timeoutMs, keepMs: KEEP_MS, checkAfterMs: timeoutMs + CHECK_DELAY_MS, abandonMs: ABANDON_MS };
}
