/** What an error of the connection to Kafka means, and which setting to change. */
import type { BaseOptions } from '@platformatic/kafka';
import { explainPort } from '../../platform/tls/explain-port.ts';
import { explainTlsError, isNotTls } from '../../platform/tls/tls-errors.ts';

const STEM = 'KAFKA_TLS';
const ADVICE = { on: 'set KAFKA_TLS=on', off: 'set KAFKA_TLS=off, or use the TLS port of the brokers' };
const PASSWORD = 'check KAFKA_SASL_USERNAME and KAFKA_SASL_PASSWORD';
const TOKEN = 'the broker does not accept the OAuth token: check its issuer, audience and expiry';

/** What a broker says to a client that it will never serve with this configuration. */
const REFUSALS: readonly [RegExp, (mechanism: string | undefined) => string][] = [
  [/OAuthTokenError|KAFKA_OAUTH_TOKEN/, () => 'the token for KAFKA_SASL_MECHANISM=OAUTHBEARER could not be had'],
  [/UNSUPPORTED_SASL_MECHANISM/, () => 'set KAFKA_SASL_MECHANISM to one that the broker offers at this port'],
  [
    /ILLEGAL_SASL_STATE/,
    () => 'this port of the broker expects no SASL: set KAFKA_SASL_MECHANISM=none, or use another port',
  ],
  [
    /SASL_AUTHENTICATION_FAILED|SASL authentication failed|Authentication failed|Invalid SASL\/OAUTHBEARER token/i,
    (mechanism) => (mechanism === 'OAUTHBEARER' ? TOKEN : PASSWORD),
  ],
  [/(?:CLUSTER|TOPIC|GROUP)_AUTHORIZATION_FAILED/, () => 'give the user the permissions in docs/guides/stores.md'],
];
const AWAY = /ECONNREFUSED|ENOTFOUND|EAI_AGAIN|EHOSTUNREACH|ENETUNREACH/;

export interface KafkaFailure {
  reason: string;
  /** undefined: it may go away by itself. */
  advice: string | undefined;
}

/** Never rejects. Where the client only knows that it got no answer, the first broker is asked why. */
export async function explainKafkaError(error: Error, connection: BaseOptions): Promise<KafkaFailure> {
  const errors = allOf(error);
  const text = errors.map((one) => `${one.name} ${codeOf(one)} ${one.message}`).join('\n');
  const reason = (errors.at(-1) ?? error).message.replace(/\.$/, '');
  const refusal = REFUSALS.find(([pattern]) => pattern.test(text));
  if (refusal !== undefined) return { reason, advice: refusal[1](connection.sasl?.mechanism) };
  const known = errors.map((one) =>
    isNotTls(one) ? `it does not speak TLS: ${ADVICE.off}` : explainTlsError(one, STEM),
  );
  const advice = known.find((one) => one !== undefined);
  if (advice !== undefined || AWAY.test(text)) return { reason, advice };
  const found = await explainByAsking(connection);
  // A broker closes the connection of a client that does not sign in, without a word. So does one that stops.
  const isMute = found === undefined && connection.sasl === undefined && /closed/i.test(reason);
  return { reason: isMute ? `${reason}; if this port requires SASL, set KAFKA_SASL_MECHANISM` : reason, advice: found };
}

async function explainByAsking({ bootstrapBrokers, tls, tlsServerName }: BaseOptions): Promise<string | undefined> {
  const [broker] = bootstrapBrokers as readonly string[];
  const { hostname: host, port } = new URL(`kafka://${broker}`);
  const options = tls && (typeof tlsServerName === 'string' ? { ...tls, servername: tlsServerName } : tls);
  const found = await explainPort({ host, port: Number(port), tls: options, stem: STEM, advice: ADVICE });
  return found === undefined ? undefined : `${broker}: ${found}`;
}

/** The client reports all its attempts as one error, and wraps errors several times: the innermost says why. */
function allOf(error: Error & { errors?: Error[] }): Error[] {
  const inner = [...(error.errors ?? []), ...(error.cause instanceof Error ? [error.cause] : [])];
  return [error, ...inner.flatMap(allOf)];
}

/** Errors of the protocol are named by `apiId`. */
function codeOf(error: Error & { code?: string; apiId?: string }): string {
  return `${error.code ?? ''} ${error.apiId ?? ''}`;
}
