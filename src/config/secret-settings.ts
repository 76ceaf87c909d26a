/** Secrets that sign and verify, and the operator token. Each must differ from the others. */

import { SECRET_MIN_LENGTH, secret, type Values } from '../platform/settings/settings.ts';
import { deriveSecret } from '../signing-keys/derive-secret.ts';

const generated = { minLength: SECRET_MIN_LENGTH, takesBytes: true, defaultText: 'generated, kept in DATA_DIR' };
const previous = { minLength: SECRET_MIN_LENGTH, takesBytes: true };

export const secretSettings = {
  FAIRLINE_SECRET: secret({
    minLength: SECRET_MIN_LENGTH,
    about:
      'Every secret of this section that is not set itself is derived from this one, except ADMIN_TOKEN and SERVICE_KEY. ' +
      'Set the same value for all processes; gates do not need it.',
  }),
  QUEUE_ENTRY_TOKEN_SECRET: secret({
    ...generated,
    about:
      'Signs entry tokens if TOKEN_ALGORITHM is HS256; a key derived from it signs waiting tokens. With HS256, share it ' +
      'with every service that verifies entry tokens.',
  }),
  QUEUE_ENTRY_TOKEN_SECRET_PREVIOUS: secret({
    ...previous,
    about: 'The previous QUEUE_ENTRY_TOKEN_SECRET, after a rotation. Its tokens are accepted until they expire.',
  }),
  VWR_TOKEN_SECRET: secret({
    ...generated,
    about:
      'Signs vwr tokens if TOKEN_ALGORITHM is HS256; keys derived from it sign the places and device cookies of tier 1. ' +
      'With HS256, share it with every service that verifies vwr tokens.',
  }),
  VWR_TOKEN_SECRET_PREVIOUS: secret({
    ...previous,
    about: 'The previous VWR_TOKEN_SECRET, after a rotation. Its tokens are accepted until they expire.',
  }),
  AUTH_JWT_SECRET: secret({
    ...generated,
    about:
      'Verifies the JWTs that your site issues to its users (HS256; HS384 and HS512 with AUTH_ALGORITHMS; `sub` is the user ' +
      'id, `exp` is required), and signs the sessions of accounts here.',
  }),
  AUTH_JWT_SECRET_PREVIOUS: secret({
    ...previous,
    about: 'The previous AUTH_JWT_SECRET, after a rotation. Its tokens are accepted until they expire.',
  }),
  GUEST_SECRET: secret({ ...generated, about: 'Signs the cookies of guests.' }),
  GUEST_SECRET_PREVIOUS: secret({
    ...previous,
    about: 'The previous GUEST_SECRET, after a rotation. Its cookies are accepted until they expire (30 days).',
  }),
  PAYMENT_WEBHOOK_SECRET: secret({ ...generated, about: 'Verifies the webhooks of the payment provider.' }),
  PAYMENT_WEBHOOK_SECRET_PREVIOUS: secret({
    ...previous,
    about: 'The previous PAYMENT_WEBHOOK_SECRET, until the payment provider signs with the new one.',
  }),
  TICKET_SECRET: secret({ ...generated, about: 'Signs the codes on tickets.' }),
  TICKET_SECRET_PREVIOUS: secret({
    ...previous,
    about: 'The previous TICKET_SECRET, after a rotation. Keep it until the events whose tickets it signed are over.',
  }),
  SERVICE_KEY: secret({
    minLength: SECRET_MIN_LENGTH,
    defaultText: 'derived from QUEUE_ENTRY_TOKEN_SECRET, for gates only',
    about:
      'Bearer token by which your own servers end sessions and report the health of the site. Set the same value for ' +
      '`fairline gate`.',
  }),
  ADMIN_TOKEN: secret({ ...generated, minLength: 16, takesBytes: false, about: 'Bearer token of operators.' }),
};

type SecretValues = Values<typeof secretSettings>;

/** The setting of each secret that an instance generates, by its name in `DATA_DIR/secrets.json`. */
export const generatedSecrets = {
  adminToken: 'ADMIN_TOKEN',
  entryToken: 'QUEUE_ENTRY_TOKEN_SECRET',
  vwrToken: 'VWR_TOKEN_SECRET',
  auth: 'AUTH_JWT_SECRET',
  guest: 'GUEST_SECRET',
  webhook: 'PAYMENT_WEBHOOK_SECRET',
  ticket: 'TICKET_SECRET',
} as const satisfies Record<string, keyof typeof secretSettings>;

/** Derived from FAIRLINE_SECRET unless set. */
const DERIVED = [
  'QUEUE_ENTRY_TOKEN_SECRET',
  'VWR_TOKEN_SECRET',
  'AUTH_JWT_SECRET',
  'GUEST_SECRET',
  'PAYMENT_WEBHOOK_SECRET',
  'TICKET_SECRET',
] as const;

/** undefined: not configured. compose/secrets.ts generates those that are needed. */
export interface SecretsConfig {
  /** FAIRLINE_SECRET. The others that follow are derived from it unless they are set. */
  root: string | undefined;
  adminToken: string | undefined;
  serviceKey: string | undefined;
  entryToken: string | undefined;
  entryTokenPrevious: string | undefined;
  vwrToken: string | undefined;
  vwrTokenPrevious: string | undefined;
  auth: string | undefined;
  authPrevious: string | undefined;
  guest: string | undefined;
  guestPrevious: string | undefined;
  webhook: string | undefined;
  webhookPrevious: string | undefined;
  ticket: string | undefined;
  ticketPrevious: string | undefined;
}

export function toSecretsConfig(values: SecretValues): SecretsConfig {
  const { FAIRLINE_SECRET: root } = values;
  const find = (name: (typeof DERIVED)[number]) =>
    values[name] ?? (root === undefined ? undefined : deriveSecret(root, name));
  return {
    root,
    adminToken: values.ADMIN_TOKEN,
    serviceKey: values.SERVICE_KEY,
    entryToken: find('QUEUE_ENTRY_TOKEN_SECRET'),
    entryTokenPrevious: values.QUEUE_ENTRY_TOKEN_SECRET_PREVIOUS,
    vwrToken: find('VWR_TOKEN_SECRET'),
    vwrTokenPrevious: values.VWR_TOKEN_SECRET_PREVIOUS,
    auth: find('AUTH_JWT_SECRET'),
    authPrevious: values.AUTH_JWT_SECRET_PREVIOUS,
    guest: find('GUEST_SECRET'),
    guestPrevious: values.GUEST_SECRET_PREVIOUS,
    webhook: find('PAYMENT_WEBHOOK_SECRET'),
    webhookPrevious: values.PAYMENT_WEBHOOK_SECRET_PREVIOUS,
    ticket: find('TICKET_SECRET'),
    ticketPrevious: values.TICKET_SECRET_PREVIOUS,
  };
}

const SHARED_BY_SHOPS: readonly string[] = ['PAYMENT_WEBHOOK_SECRET', 'TICKET_SECRET'];

/** With Redis there are several processes: a secret that one generates would be unknown to the others. */
export function findUnsharedSecrets(values: SecretValues, hasShop: boolean): string[] {
  const why = 'because all processes must share the same secret';
  const missing =
    values.FAIRLINE_SECRET === undefined
      ? DERIVED.filter((name) => values[name] === undefined && (hasShop || !SHARED_BY_SHOPS.includes(name)))
      : [];
  return [
    ...(values.ADMIN_TOKEN === undefined ? [`ADMIN_TOKEN is not set: required with Redis, ${why}`] : []),
    ...missing.map((name) => `${name} is not set: required with Redis, itself or as FAIRLINE_SECRET, ${why}`),
  ];
}
