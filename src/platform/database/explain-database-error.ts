/** What an error of the connection to PostgreSQL means, and which setting to change. */
import { explainTlsError, isNotTls } from '../tls/tls-errors.ts';

/** By SQLSTATE or by the message, the first that fits. */
const REFUSALS: readonly [RegExp, string][] = [
  [/no pg_hba\.conf entry .*no encryption/, 'it expects TLS: set DATABASE_TLS=verify-full (or require)'],
  [
    /no pg_hba\.conf entry .*SSL encryption/,
    'pg_hba.conf of the server lets this user connect neither from here nor with TLS',
  ],
  [/no pg_hba\.conf entry/, 'let this user connect from here in pg_hba.conf of the server'],
  [
    /connection requires a valid client certificate/,
    'it requires a client certificate: set DATABASE_TLS_CERT_FILE and DATABASE_TLS_KEY_FILE',
  ],
  [
    /certificate authentication failed/,
    'the client certificate in DATABASE_TLS_CERT_FILE is for another user than DATABASE_URL',
  ],
  [/^28P01|password authentication failed/, 'check the user and password in DATABASE_URL, or DATABASE_PASSWORD'],
  [
    /client password must be a (?:non-empty )?string|no password supplied/,
    'it requires a password: put it into DATABASE_URL, or set DATABASE_PASSWORD',
  ],
  [/^28000/, 'check the user in DATABASE_URL'],
  [/^3D000/, 'create the database, or name another one in DATABASE_URL'],
  [/does not support SSL connections/, 'it does not speak TLS: turn on ssl at the server, or set DATABASE_TLS=disable'],
];

/** undefined: it may go away by itself, or is no error of the connection. */
export function explainDatabaseError(error: Error): string | undefined {
  const { code } = error as NodeJS.ErrnoException;
  const text = `${code ?? ''} ${error.message}`;
  const advice = REFUSALS.find(([pattern]) => pattern.test(text.trim()))?.[1];
  if (advice !== undefined) return advice;
  if (isNotTls(error)) return 'it does not speak TLS: check the port in DATABASE_URL, or set DATABASE_TLS=disable';
  return explainTlsError(error, 'DATABASE_TLS');
}
