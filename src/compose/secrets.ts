/** The secrets of this instance: configured ones, or those generated into DATA_DIR. */
import type { Config } from '../config/config.ts';
import { fillSecrets } from '../platform/settings/secrets.ts';
import { SettingsError } from '../platform/settings/settings.ts';

/** The secret to sign with, then those whose tokens are still accepted. */
export type SecretRing = [string, ...string[]];

export interface Secrets {
  adminToken: string;
  entryToken: SecretRing;
  vwrToken: SecretRing;
  auth: SecretRing;
  guest: string;
  webhook: string;
  ticket: string;
}

export async function openSecrets({ dataDir, secrets }: Pick<Config, 'dataDir' | 'secrets'>): Promise<Secrets> {
  const { adminToken, entryToken, vwrToken, auth, guest, webhook, ticket } = await fillSecrets(dataDir, {
    adminToken: secrets.adminToken,
    entryToken: secrets.entryToken,
    vwrToken: secrets.vwrToken,
    auth: secrets.auth,
    guest: secrets.guest,
    webhook: secrets.webhook,
    ticket: secrets.ticket,
  });
  requireDistinct({
    ADMIN_TOKEN: adminToken,
    QUEUE_ENTRY_TOKEN_SECRET: entryToken,
    VWR_TOKEN_SECRET: vwrToken,
    AUTH_JWT_SECRET: auth,
    GUEST_SECRET: guest,
    PAYMENT_WEBHOOK_SECRET: webhook,
    TICKET_SECRET: ticket,
  });
  return {
    adminToken,
    entryToken: toRing(entryToken, secrets.entryTokenPrevious),
    vwrToken: toRing(vwrToken, secrets.vwrTokenPrevious),
    auth: toRing(auth, secrets.authPrevious),
    guest,
    webhook,
    ticket,
  };
}

export function toRing(current: string, previous: string | undefined): SecretRing {
  return previous === undefined ? [current] : [current, previous];
}

/** With one secret for two purposes, a holder of the first could forge tokens of the second. */
function requireDistinct(secrets: Record<string, string>): void {
  const names = Object.keys(secrets);
  for (const [index, name] of names.entries()) {
    const same = names.slice(0, index).find((other) => secrets[other] === secrets[name]);
    if (same !== undefined) throw new SettingsError(`${name}: must differ from ${same}`);
  }
}
