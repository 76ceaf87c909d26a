/** Breaks of how users of an identity provider are identified. */
const page = 'docs/security.md';
const attack = [{ file: 'test/attacks/user-tokens.test.ts', title: 'a token of the identity provider in' }];
const missing = (title) => [{ file: 'test/identity/issuer/issuer-keys.test.ts', title }];

/** @type {readonly import('./mutant.d.mts').Mutant[]} */
export const users = [
  {
    name: 'user-of-another-audience',
    page,
    promise: 'Tokens are accepted only from the configured issuer, for the configured audience',
    file: 'src/identity/issuer/user-claims.ts',
    find: 'if (audiences.length > 0 && !audiences.some((audience) => hasValue(claims.aud, audience))) return undefined;',
    replace: '',
    tests: attack,
  },
  {
    name: 'user-of-another-issuer',
    page,
    promise: 'Tokens are accepted only from the configured issuer',
    file: 'src/identity/issuer/user-claims.ts',
    find: 'if (issuer !== undefined && !isSameIssuer(claims.iss, issuer)) return undefined;',
    replace: '',
    tests: attack,
  },
  {
    name: 'user-who-chose-an-account',
    page,
    promise: 'Nobody becomes a guest or the owner of an account here by a claim they chose.',
    file: 'src/identity/issuer/user-claims.ts',
    find: 'if (id === undefined || isAccountId(id)) return undefined;',
    replace: 'if (id === undefined) return undefined;',
    tests: attack,
  },
  {
    name: 'user-keys-read-for-strangers',
    page,
    promise: 'Strangers cannot make a process ask the provider more than once in three seconds',
    file: 'src/platform/jwt/followed-keys.ts',
    find: 'if (this.#reading === undefined && this.#dueInMs() <= 0) return this.refresh();',
    replace: 'if (this.#reading === undefined) return this.refresh();',
    tests: missing('makes a stranger wait for the next read that is allowed, and reads no more often'),
  },
  {
    name: 'user-keys-lost-while-away',
    page,
    promise: 'a provider that is away signs nobody out',
    file: 'src/platform/jwt/followed-keys.ts',
    find: 'this.#options.onError?.(error as Error);',
    replace: 'this.#use([]);\n      this.#options.onError?.(error as Error);',
    tests: missing('is a reason to try again later, not to sign in again, while the keys cannot be read'),
  },
];
