/** The kinds of audit entries, by their actions. */
export const auditKinds = {
  room: [
    'create room',
    'change room',
    'set threshold',
    'clear queue',
    'schedule change',
    'cancel scheduled change',
    'apply scheduled change',
    'refuse scheduled change',
    'activate vwr',
    'deactivate vwr',
    'advance vwr',
  ],
  people: [
    'eject',
    'ban',
    'extend session',
    'end session',
    'add access entry',
    'remove access entry',
    'create staff pass',
    'open staff pass',
    'revoke staff pass',
    'bypass',
    'fail open',
  ],
  session: ['sign in', 'sign out', 'refused sign in', 'refused code'],
  team: [
    'set role',
    'invite operator',
    'withdraw invitation',
    'end operator sessions',
    'create service key',
    'revoke service key',
    'enrol second factor',
    'remove second factor',
    'reset second factor',
  ],
  shop: ['create event', 'change event', 'open event', 'cancel event', 'generate seats', 'put layout'],
} as const;

export type AuditKind = keyof typeof auditKinds;
