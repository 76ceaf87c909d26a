/**
 * A payment provider that moves no money, for demos and tests. Its ledger outlives the process, as a real provider's would. The
 * payment method decides the result.
 */
import type { Charge, ChargeState, Provider } from '../provider.ts';

export const sandboxMethods = ['card-approve', 'card-decline', 'card-timeout', 'card-late', 'card-twice'] as const;
export type SandboxMethod = (typeof sandboxMethods)[number];

export interface SandboxLedger {
  /** Enters a charge unless the order has one; returns its current state. */
  enter(charge: Charge, state: 'pending' | 'captured' | 'declined', capturesInMs: number): Promise<ChargeState>;
  find(orderId: string): Promise<ChargeState>;
  refund(orderId: string): Promise<void>;
  /** Schedules a webhook message about the order, sent `times` times. */
  announce(orderId: string, type: SandboxCall['type'], times: number, inMs: number): Promise<void>;
  /** Takes the messages that are due; each is returned once. */
  takeCalls(): Promise<SandboxCall[]>;
  /** Whether messages are scheduled. */
  hasCalls(): Promise<boolean>;
}

export interface SandboxCall {
  id: string;
  type: 'payment.captured';
  orderId: string;
  amount: number;
  currency: string;
}

const LATE_MS = 3_000;

export function createSandboxProvider(ledger: SandboxLedger): Provider {
  return {
    name: 'sandbox',
    async capture(charge, signal) {
      switch (charge.method as SandboxMethod) {
        case 'card-decline':
          return settled(await ledger.enter(charge, 'declined', 0));
        case 'card-late':
          await ledger.announce(charge.orderId, 'payment.captured', 1, LATE_MS);
          return settled(await ledger.enter(charge, 'pending', LATE_MS));
        case 'card-timeout':
          // Captured, but the response is lost.
          await ledger.enter(charge, 'captured', 0);
          return never(signal);
        case 'card-twice':
          await ledger.announce(charge.orderId, 'payment.captured', 2, 0);
          return settled(await ledger.enter(charge, 'captured', 0));
        default:
          return settled(await ledger.enter(charge, 'captured', 0));
      }
    },
    find: (orderId) => ledger.find(orderId),
    refund: (orderId) => ledger.refund(orderId),
  };
}

function settled(state: ChargeState): 'captured' | 'declined' | 'pending' {
  return state === 'captured' || state === 'declined' ? state : 'pending';
}

function never(signal: AbortSignal): Promise<never> {
  return new Promise((_, reject) => signal.addEventListener('abort', () => reject(new Error('no response in time'))));
}
