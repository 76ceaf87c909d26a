/** The secrets of this instance: configured ones, or those generated into DATA_DIR. */
import type { Config } from '../config/config.ts';
import { fillSecrets } from '../platform/settings/secrets.ts';
import { SettingsError } from '../platform/settings/settings.ts';
import type { KeyRing } from '../signing-keys/key-ring.ts';
import { createServiceKeys } from '../signing-keys/service-keys.ts';

/** Of each secret the current one, then the previous one, if a rotation is under way. */
export interface Secrets {
  adminToken: string;
  serviceKeys: KeyRing;
  entryToken: KeyRing;
  vwrToken: KeyRing;
  auth: KeyRing;
  guest: KeyRing;
  webhook: KeyRing;
  ticket: KeyRing;
}

export async function openSecrets(config: Pick<Config, 'dataDir' | 'secrets' | 'notices' | 'gate'>): Promise<Secrets> {
  const { dataDir, secrets } = config;
  const { adminToken, entryToken, vwrToken, auth, guest, webhook, ticket } = await fillSecrets(dataDir, {
    adminToken: secrets.adminToken,
    entryToken: secrets.entryToken,
    vwrToken: secrets.vwrToken,
    auth: secrets.auth,
    guest: secrets.guest,
    webhook: secrets.webhook,
    ticket: secrets.ticket,
  });
  const rings = {
    entryToken: toRing(entryToken, secrets.entryTokenPrevious),
    vwrToken: toRing(vwrToken, secrets.vwrTokenPrevious),
    auth: toRing(auth, secrets.authPrevious),
    guest: toRing(guest, secrets.guestPrevious),
    webhook: toRing(webhook, secrets.webhookPrevious),
    ticket: toRing(ticket, secrets.ticketPrevious),
  };
  requireDistinct({
    ADMIN_TOKEN: [adminToken],
    FAIRLINE_SECRET: secrets.root === undefined ? [] : [secrets.root],
    SERVICE_KEY: secrets.serviceKey === undefined ? [] : [secrets.serviceKey],
    QUEUE_ENTRY_TOKEN_SECRET: rings.entryToken,
    VWR_TOKEN_SECRET: rings.vwrToken,
    AUTH_JWT_SECRET: rings.auth,
    GUEST_SECRET: rings.guest,
    PAYMENT_WEBHOOK_SECRET: rings.webhook,
    TICKET_SECRET: rings.ticket,
    NOTICE_WEBHOOK_SECRET: config.notices.webhook === undefined ? [] : [config.notices.webhook.secret],
    GATE_CDN_SECRET: config.gate.cdnSecret === undefined ? [] : [config.gate.cdnSecret],
  });
  return { adminToken, serviceKeys: createServiceKeys(secrets.serviceKey, rings.entryToken), ...rings };
}

export function toRing(current: string, previous: string | undefined): KeyRing {
  return previous === undefined ? [current] : [current, previous];
}

/** With one secret for two purposes, a holder of the first could forge tokens of the second. */
function requireDistinct(secrets: Record<string, readonly string[]>): void {
  const named = Object.entries(secrets).flatMap(([setting, ring]) =>
    ring.map((value, index) => ({ setting, name: index === 0 ? setting : `${setting}_PREVIOUS`, value })),
  );
  for (const [index, { setting, name, value }] of named.entries()) {
    const same = named.slice(0, index).find((other) => other.setting !== setting && other.value === value);
    if (same !== undefined) throw new SettingsError(`${name}: must differ from ${same.name}`);
  }
}
