/** Secrets that sign and verify, and the operator token. Each must differ from the others. */
import { SECRET_MIN_LENGTH, secret, type Values } from '../platform/settings/settings.ts';

const generated = { minLength: SECRET_MIN_LENGTH, defaultText: 'generated, kept in DATA_DIR' };
const previous = { minLength: SECRET_MIN_LENGTH };

export const secretSettings = {
  QUEUE_ENTRY_TOKEN_SECRET: secret({
    ...generated,
    about: 'Signs entry tokens (HS256). Share it with every service that verifies them.',
  }),
  QUEUE_ENTRY_TOKEN_SECRET_PREVIOUS: secret({
    ...previous,
    about: 'The previous QUEUE_ENTRY_TOKEN_SECRET, after a rotation. Its tokens are accepted until they expire.',
  }),
  VWR_TOKEN_SECRET: secret({
    ...generated,
    about:
      'Signs the tokens, places and device cookies of tier 1 (HS256). Share it with every service that verifies vwr ' +
      'tokens.',
  }),
  VWR_TOKEN_SECRET_PREVIOUS: secret({
    ...previous,
    about: 'The previous VWR_TOKEN_SECRET, after a rotation. Its tokens are accepted until they expire.',
  }),
  AUTH_JWT_SECRET: secret({
    ...generated,
    about: 'Verifies the JWTs that your site issues to its users (HS256; `sub` is the user id, `exp` is required).',
  }),
  AUTH_JWT_SECRET_PREVIOUS: secret({
    ...previous,
    about: 'The previous AUTH_JWT_SECRET, after a rotation. Its tokens are accepted until they expire.',
  }),
  GUEST_SECRET: secret({ ...generated, about: 'Signs the cookies of guests.' }),
  PAYMENT_WEBHOOK_SECRET: secret({ ...generated, about: 'Verifies the webhooks of the payment provider.' }),
  TICKET_SECRET: secret({ ...generated, about: 'Signs the codes on tickets.' }),
  ADMIN_TOKEN: secret({ ...generated, minLength: 16, about: 'Bearer token of operators.' }),
};

type SecretValues = Values<typeof secretSettings>;

/** undefined: not configured. compose/secrets.ts generates those that are needed. */
export interface SecretsConfig {
  adminToken: string | undefined;
  entryToken: string | undefined;
  entryTokenPrevious: string | undefined;
  vwrToken: string | undefined;
  vwrTokenPrevious: string | undefined;
  auth: string | undefined;
  authPrevious: string | undefined;
  guest: string | undefined;
  webhook: string | undefined;
  ticket: string | undefined;
}

export function toSecretsConfig(values: SecretValues): SecretsConfig {
  return {
    adminToken: values.ADMIN_TOKEN,
    entryToken: values.QUEUE_ENTRY_TOKEN_SECRET,
    entryTokenPrevious: values.QUEUE_ENTRY_TOKEN_SECRET_PREVIOUS,
    vwrToken: values.VWR_TOKEN_SECRET,
    vwrTokenPrevious: values.VWR_TOKEN_SECRET_PREVIOUS,
    auth: values.AUTH_JWT_SECRET,
    authPrevious: values.AUTH_JWT_SECRET_PREVIOUS,
    guest: values.GUEST_SECRET,
    webhook: values.PAYMENT_WEBHOOK_SECRET,
    ticket: values.TICKET_SECRET,
  };
}

const ALWAYS_SHARED = [
  'ADMIN_TOKEN',
  'QUEUE_ENTRY_TOKEN_SECRET',
  'VWR_TOKEN_SECRET',
  'AUTH_JWT_SECRET',
  'GUEST_SECRET',
] as const;
const SHARED_BY_SHOPS = ['PAYMENT_WEBHOOK_SECRET', 'TICKET_SECRET'] as const;

/** With Redis there are several processes: a secret that one generates would be unknown to the others. */
export function findUnsharedSecrets(values: SecretValues, hasShop: boolean): string[] {
  return [...ALWAYS_SHARED, ...(hasShop ? SHARED_BY_SHOPS : [])]
    .filter((name) => values[name] === undefined)
    .map((name) => `${name} is not set: required with Redis, because all processes must share the same secret`);
}
