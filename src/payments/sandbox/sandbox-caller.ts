/** Sends the webhook messages of the sandbox provider, signed as a real provider would sign them. */
import type { ReceiveMessage } from '../receive-message.ts';
import type { WebhookSignatures } from '../webhooks.ts';
import type { SandboxLedger } from './sandbox-provider.ts';

export interface SandboxCallerOptions {
  ledger: Pick<SandboxLedger, 'takeCalls'>;
  signatures: WebhookSignatures;
  receive: ReceiveMessage;
  now: () => number;
}

export async function runSandboxCallerOnce({
  ledger,
  signatures,
  receive,
  now,
}: SandboxCallerOptions): Promise<'done'> {
  for (const call of await ledger.takeCalls()) {
    const body = JSON.stringify(call);
    await receive(body, signatures.sign(body, Math.floor(now() / 1000)));
  }
  return 'done';
}
