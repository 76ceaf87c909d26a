/** Settings of the users that you have: whose tokens are accepted, and what they must say. */
import { type Algorithm, algorithms } from '../platform/jwt/algorithms.ts';
import { integer, list, text, url, type Values } from '../platform/settings/settings.ts';

const DEFAULT_ALGORITHMS: readonly Algorithm[] = ['RS256', 'ES256', 'EdDSA', 'HS256'];
const DEFAULT_CLAIM = 'sub';
const DEFAULT_TOLERANCE_SECONDS = 5;

export const userSettings = {
  AUTH_ISSUER: url({
    default: undefined,
    protocols: ['https:', 'http:'],
    allowed: 'the URL of an OpenID provider, as its tokens name it in iss',
    hasCredentials: false,
    about:
      'Identity provider of your users. Its keys are found by its OpenID document and read again when they change; users’ ' +
      'tokens must name it as `iss`. Requires AUTH_AUDIENCE or AUTH_REQUIRED_CLAIMS.',
  }),
  AUTH_JWKS: text({
    default: undefined,
    defaultText: 'as the document of AUTH_ISSUER says',
    pattern: /^\S+$/,
    allowed: 'the URL or the path of a key set (JWKS)',
    about:
      'Public keys of your users’ tokens, for an issuer without an OpenID document or without network access. With ' +
      'AUTH_ISSUER, tokens must also name that issuer.',
  }),
  AUTH_AUDIENCE: list<string>({
    default: [],
    defaultText: 'any',
    pattern: /^[^\s,]{1,256}$/,
    allowed: 'values of the claim aud, separated by commas',
    about: 'Users’ tokens must be for one of these audiences (`aud`), so that those for other services are refused.',
  }),
  AUTH_USER_CLAIM: text({
    default: DEFAULT_CLAIM,
    pattern: /^[^\s,=]{1,128}$/,
    allowed: 'the name of a claim; a.b is the member b of the claim a',
    about:
      'Claim that is the user’s id: one that a user cannot change and that is never given to another. `email` counts only ' +
      'with `email_verified`.',
  }),
  AUTH_REQUIRED_CLAIMS: list<string>({
    default: [],
    defaultText: 'none',
    pattern: /^[^\s,=]{1,128}=[^\s,]{1,256}$/,
    allowed: 'claims with values, such as type=access, separated by commas',
    about:
      'What users’ tokens must say, for example `type=access` to refuse refresh tokens. A claim that is a list must contain ' +
      'the value; `scope` must contain the word.',
  }),
  AUTH_ALGORITHMS: list<Algorithm>({
    default: DEFAULT_ALGORITHMS,
    pattern: new RegExp(`^(${algorithms.join('|')})$`),
    allowed: `some of ${algorithms.join(', ')}, separated by commas`,
    about:
      'Accepted signatures of users’ tokens. HS256, HS384 and HS512 are verified with AUTH_JWT_SECRET, the others with the ' +
      'keys of AUTH_ISSUER or AUTH_JWKS.',
  }),
  AUTH_CLOCK_TOLERANCE_SECONDS: integer({
    default: DEFAULT_TOLERANCE_SECONDS,
    min: 0,
    max: 300,
    about: 'How far the clocks of the issuer and of this machine may differ.',
  }),
};

export interface UsersConfig {
  /** undefined: tokens are HS256 and nothing is required of them. */
  rules: UserTokenRulesConfig | undefined;
  /** Where the public keys of an identity provider are; undefined: there is none. */
  provider: { issuer: string | undefined; jwks: string | undefined } | undefined;
}

export interface UserTokenRulesConfig {
  issuer: string | undefined;
  audiences: readonly string[];
  userClaim: string;
  requiredClaims: readonly { name: string; value: string }[];
  algorithms: readonly Algorithm[];
  toleranceSeconds: number;
}

type UserValues = Values<typeof userSettings>;

export function toUsersConfig(values: UserValues): UsersConfig {
  const { AUTH_ISSUER: issuer, AUTH_JWKS: jwks } = values;
  const hasKeys = values.AUTH_ALGORITHMS.some((algorithm) => !algorithm.startsWith('HS'));
  const hasProvider = hasKeys && (issuer !== undefined || jwks !== undefined);
  return {
    rules: isDefault(values)
      ? undefined
      : {
          issuer,
          audiences: values.AUTH_AUDIENCE,
          userClaim: values.AUTH_USER_CLAIM!,
          requiredClaims: values.AUTH_REQUIRED_CLAIMS.map(toRequiredClaim),
          algorithms: values.AUTH_ALGORITHMS,
          toleranceSeconds: values.AUTH_CLOCK_TOLERANCE_SECONDS,
        },
    provider: hasProvider ? { issuer, jwks } : undefined,
  };
}

function isDefault(values: UserValues): boolean {
  return (
    values.AUTH_ISSUER === undefined &&
    values.AUTH_JWKS === undefined &&
    values.AUTH_AUDIENCE.length === 0 &&
    values.AUTH_USER_CLAIM === DEFAULT_CLAIM &&
    values.AUTH_REQUIRED_CLAIMS.length === 0 &&
    values.AUTH_ALGORITHMS === DEFAULT_ALGORITHMS &&
    values.AUTH_CLOCK_TOLERANCE_SECONDS === DEFAULT_TOLERANCE_SECONDS
  );
}

function toRequiredClaim(text: string): { name: string; value: string } {
  const at = text.indexOf('=');
  return { name: text.slice(0, at), value: text.slice(at + 1) };
}

/** A provider signs tokens for many services with the same keys: without a check, those of all others would count here. */
export function findUserProblems({ rules, provider }: UsersConfig): string[] {
  if (provider === undefined || rules === undefined) return [];
  if (rules.audiences.length > 0 || rules.requiredClaims.length > 0) return [];
  const setting = provider.issuer === undefined ? 'AUTH_JWKS' : 'AUTH_ISSUER';
  return [
    `${setting}: requires AUTH_AUDIENCE, the aud of tokens for your site, so that tokens for other services are refused; ` +
      'or AUTH_REQUIRED_CLAIMS, if your tokens have no aud',
  ];
}
