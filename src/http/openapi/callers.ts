/** Who may call an endpoint, and by which credentials. Routes name the caller: `security: [{ operator: [] }]`. */
import type { ErrorCode } from '../errors.ts';

export type SecurityRequirement = Readonly<Record<string, readonly string[]>>;

/** The names of the cookies that identify somebody. */
export interface IdentityCookies {
  session: string;
  guest: string;
  operator: string;
  device: string;
}

interface CallerKind {
  /** Any one of these sets of credentials is enough. */
  by: readonly (readonly string[])[];
  /** What every endpoint for these callers can refuse. */
  errors: readonly ErrorCode[];
}

const VISITORS = [['userToken'], ['userSession'], ['guestCookie']];
const OPERATORS = [['operatorToken'], ['operatorSession']];
const ofVisitors: readonly ErrorCode[] = ['UNAUTHENTICATED', 'INVALID_TOKEN'];
const ofOperators: readonly ErrorCode[] = ['OPERATOR_ONLY', 'ROLE_REQUIRED', 'SECOND_FACTOR_REQUIRED', 'RATE_LIMITED'];

const kinds: Readonly<Record<string, CallerKind>> = {
  visitor: { by: VISITORS, errors: ofVisitors },
  user: { by: [['userToken'], ['userSession']], errors: ofVisitors },
  admitted: {
    by: VISITORS.map((names) => [...names, 'entryToken']),
    errors: ['ENTRY_TOKEN_REQUIRED', 'ENTRY_TOKEN_INVALID'],
  },
  device: { by: [['deviceCookie']], errors: [] },
  operator: { by: OPERATORS, errors: ofOperators },
  service: { by: [['serviceKey'], ...OPERATORS], errors: ofOperators },
  metrics: { by: [['metricsToken']], errors: [] },
  paymentProvider: { by: [['paymentSignature']], errors: [] },
};

/** `{}` stands for a caller without credentials. */
export function toCredentials(callers: readonly SecurityRequirement[]): SecurityRequirement[] {
  return callers.flatMap((caller) => {
    const names = Object.keys(caller);
    if (names.length === 0) return [{}];
    return names.flatMap((name) => kindOf(name).by.map((set) => Object.fromEntries(set.map((one) => [one, []]))));
  });
}

/** Where credentials are optional, the endpoint itself says what it refuses. */
export function errorsOfCallers(callers: readonly SecurityRequirement[]): ErrorCode[] {
  if (callers.some((caller) => Object.keys(caller).length === 0)) return [];
  return callers.flatMap((caller) => Object.keys(caller).flatMap((name) => kindOf(name).errors));
}

function kindOf(name: string): CallerKind {
  const kind = kinds[name];
  if (kind === undefined) {
    throw new Error(`security: ${name} is no caller; expected one of ${Object.keys(kinds).join(', ')}`);
  }
  return kind;
}

export function toSecuritySchemes(cookies: IdentityCookies) {
  const cookie = (name: string, description: string) => ({
    ...({ type: 'apiKey', in: 'cookie', name } as const),
    description: `${description} Over TLS its name begins with __Host-.`,
  });
  const bearer = (description: string) => ({ type: 'http', scheme: 'bearer', description }) as const;
  const header = (name: string, description: string) => ({ type: 'apiKey', in: 'header', name, description }) as const;
  return {
    userToken: { ...bearer('The token of a user of the host site.'), bearerFormat: 'JWT' },
    userSession: cookie(cookies.session, 'The session of a user, from signIn or from the host site.'),
    guestCookie: cookie(cookies.guest, 'A guest, from the first join.'),
    entryToken: header(
      'x-queue-entry-token',
      'The entry token of an admitted visitor; also as the cookie urr-entry-token.',
    ),
    deviceCookie: cookie(cookies.device, 'A device with a number of tier 1, from takeNumber.'),
    operatorToken: bearer('ADMIN_TOKEN, for scripts.'),
    operatorSession: cookie(cookies.operator, 'An operator who has signed in; changes only from a page of this site.'),
    serviceKey: bearer('SERVICE_KEY, for gates and the servers of the site.'),
    metricsToken: bearer('METRICS_TOKEN. Without one, clients on the same machine need none.'),
    paymentSignature: header('x-payment-signature', 'The signature of the payment provider over the body.'),
  };
}
