/** Settings of the keys that sign entry tokens, vwr tokens and staff passes, which outside parties verify. */
import { oneOf, type Setting, text, type Values } from '../platform/settings/settings.ts';
import { DEFAULT_NAME, type TokenNames } from '../signing-keys/token-names.ts';

const tokenAlgorithms = ['EdDSA', 'ES256', 'HS256'] as const;
export type TokenAlgorithm = (typeof tokenAlgorithms)[number];

const NAME = { pattern: /^[\x21-\x7e]{1,200}$/, allowed: '1 to 200 visible ASCII characters' };

export const tokenSettings = {
  TOKEN_ALGORITHM: {
    ...(oneOf({
      default: 'EdDSA',
      values: tokenAlgorithms,
      about:
        'Signs entry tokens, vwr tokens and staff passes. EdDSA, ES256: with a key pair; verifiers need its public half ' +
        'only (docs/guides/keys.md). HS256: with QUEUE_ENTRY_TOKEN_SECRET and VWR_TOKEN_SECRET.',
    }) as Setting<TokenAlgorithm | undefined>),
    default: undefined,
    defaultText: 'HS256 if QUEUE_ENTRY_TOKEN_SECRET or VWR_TOKEN_SECRET is set, else EdDSA',
  },
  TOKEN_KEYS_FILE: text({
    default: undefined,
    pattern: /^.+$/,
    allowed: 'a file',
    defaultText: '`token-keys.json` in DATA_DIR, created at the first start',
    about: 'File with the private keys, from `fairline keys create`. Read again every second. Required with Redis.',
  }),
  TOKEN_JWKS: text({
    default: undefined,
    pattern: /^.+$/,
    allowed: 'an http or https URL, or a file',
    defaultText: '`/.well-known/jwks.json` of GATE_LINE_URL',
    about: 'Where `fairline gate` reads the public keys (JWKS). Read again every 3 seconds.',
  }),
  TOKEN_ISSUER: text({
    ...NAME,
    default: undefined,
    defaultText: `${DEFAULT_NAME}; none with HS256`,
    about: 'Claim `iss` of entry tokens, vwr tokens and staff passes. Set the same at every verifier.',
  }),
  TOKEN_AUDIENCE: text({
    ...NAME,
    default: undefined,
    defaultText: `${DEFAULT_NAME}; none with HS256`,
    about: 'Claim `aud` of entry tokens, vwr tokens and staff passes. Set the same at every verifier.',
  }),
};

export interface TokensConfig {
  algorithm: TokenAlgorithm;
  /** Whether TOKEN_ALGORITHM is set; otherwise it follows from the secrets. */
  isChosen: boolean;
  names: TokenNames;
  /** undefined: in DATA_DIR. */
  keysFile: string | undefined;
  jwks: string | undefined;
}

type TokenValues = Values<typeof tokenSettings> & {
  QUEUE_ENTRY_TOKEN_SECRET: string | undefined;
  VWR_TOKEN_SECRET: string | undefined;
};

export function toTokensConfig(values: TokenValues): TokensConfig {
  const { TOKEN_ALGORITHM: chosen, TOKEN_ISSUER: issuer, TOKEN_AUDIENCE: audience } = values;
  const hasSecret = values.QUEUE_ENTRY_TOKEN_SECRET !== undefined || values.VWR_TOKEN_SECRET !== undefined;
  const algorithm = chosen ?? (hasSecret ? 'HS256' : 'EdDSA');
  const names = { issuer: issuer ?? DEFAULT_NAME, audience: audience ?? DEFAULT_NAME };
  const isNamed = algorithm !== 'HS256';
  return {
    algorithm,
    isChosen: chosen !== undefined,
    names: {
      ...names,
      written: {
        ...(isNamed || issuer !== undefined ? { iss: names.issuer } : {}),
        ...(isNamed || audience !== undefined ? { aud: names.audience } : {}),
      },
    },
    keysFile: values.TOKEN_KEYS_FILE,
    jwks: values.TOKEN_JWKS,
  };
}

/** With Redis there are several processes: keys that one creates would be unknown to the others. */
export function findMissingKeys(values: TokenValues): string[] {
  if (values.TOKEN_KEYS_FILE !== undefined || toTokensConfig(values).algorithm === 'HS256') return [];
  return [
    'TOKEN_KEYS_FILE is not set: required with Redis, because all processes must sign with the same keys; create the ' +
      'file with: fairline keys create --file FILE',
  ];
}
