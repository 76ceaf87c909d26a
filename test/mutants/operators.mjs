/** Breaks of operators: roles, service keys, sign-in at the identity provider. */
const guide = 'docs/guides/operators.md';
const endpoints = (title) => [{ file: 'test/identity/endpoint-roles.test.ts', title }];
const keys = (title) => [{ file: 'test/identity/service-keys.test.ts', title }];
const provider = (title) => [{ file: 'test/identity/provider-sign-in.test.ts', title }];

/** @type {readonly import('./mutant.d.mts').Mutant[]} */
export const operators = [
  {
    name: 'role-not-checked',
    page: guide,
    promise: 'A lower role gets 403 `ROLE_REQUIRED`.',
    file: 'src/identity/operators.ts',
    find: 'if (mayActAs(caller.role, needed)) return;',
    replace: 'if (mayActAs(caller.role, needed) || needed === "operator") return;',
    tests: endpoints('refuse every lower role and nobody above, and strangers everywhere'),
  },
  {
    name: 'endpoint-without-role',
    page: guide,
    promise: 'endpoint without an entry refuses everybody',
    file: 'src/identity/operators.ts',
    find: 'if (needed === undefined) throw',
    replace: 'if (needed === undefined) return;\n    if (needed === undefined) throw',
    tests: endpoints('refuse everybody where the table has no role'),
  },
  {
    name: 'revoked-key-keeps-its-session',
    page: guide,
    promise: 'A revoked key, and sessions that began with it, are refused within two seconds in every process.',
    file: 'src/identity/service-keys/service-keys.ts',
    find: 'other === name && key.id === id',
    replace: 'other === name',
    tests: keys('is refused once it is revoked, and so is a session that began with it'),
  },
  {
    name: 'expired-key',
    page: guide,
    promise: 'A service key is a bearer token with a name, a role, and if you want an expiry.',
    file: 'src/identity/service-keys/service-keys.ts',
    find: 'found === undefined || hasExpired(found[1], clock.now())',
    replace: 'found === undefined',
    tests: keys('ends at its expiry'),
  },
  {
    name: 'key-in-the-clear',
    page: guide,
    promise: 'Only a SHA-256 hash of the key is stored.',
    file: 'src/identity/service-keys/service-keys.ts',
    find: '...{ createdAt, createdBy },',
    replace: '...{ createdAt, createdBy, token },',
    tests: keys('is shown once and kept as a hash'),
  },
  {
    name: 'id-token-signature',
    page: guide,
    promise: 'It verifies the signature of the id token with',
    file: 'src/identity/provider/sign-in-provider.ts',
    find: 'client.enableNonRepudiationChecks(config);',
    replace: '',
    tests: provider('is refused if the id token is signed by another key'),
  },
  {
    name: 'sign-in-of-another-browser',
    page: guide,
    promise: 'code flow with PKCE, state and nonce',
    file: 'src/identity/provider/sign-in-provider.ts',
    find: 'expectedState: flow.state,',
    replace: 'expectedState: client.skipStateCheck,',
    tests: provider('is refused without the cookie of this browser'),
  },
  {
    name: 'unchecked-email-is-invited',
    page: guide,
    promise: 'The provider must say that it has checked the address',
    file: 'src/identity/provider/provider-claims.ts',
    find: "(isVerified !== true && isVerified !== 'true')",
    replace: 'isVerified === undefined',
    tests: provider('is not invited by an address that the provider has not checked'),
  },
  {
    name: 'withdrawn-invitation',
    page: guide,
    promise: 'a changed or withdrawn invitation takes effect within two',
    file: 'src/identity/provider/people.ts',
    find: 'const reason = claimedRole === undefined ? { email: email! } : { role: claimedRole };',
    replace: 'const reason = { role };',
    tests: provider('gets the role of an invitation, which can be changed and withdrawn'),
  },
  {
    name: 'ended-sessions-of-a-person',
    page: guide,
    promise: 'If you take it away at the provider, also end the person',
    file: 'src/identity/provider/people.ts',
    find: 'startedAt <= (people.get(id)?.sessionsEndedAt ?? -1)',
    replace: 'startedAt < (people.get(id)?.sessionsEndedAt ?? -1)',
    tests: provider('is listed, and an admin ends their sessions'),
  },
];
