/** The roles of operators. Each may do what the one before may, and more. */
export const operatorRoles = ['viewer', 'operator', 'admin'] as const;

/**
 * viewer: reads everything that operators see. operator: runs sales, that is rooms, lines, access and events. admin: also
 * other operators and keys, and what cannot be undone: clearing a line, cancelling an event with its refunds.
 */
export type OperatorRole = (typeof operatorRoles)[number];

export function isOperatorRole(text: unknown): text is OperatorRole {
  return operatorRoles.includes(text as OperatorRole);
}

export function mayActAs(role: OperatorRole, needed: OperatorRole): boolean {
  return operatorRoles.indexOf(role) >= operatorRoles.indexOf(needed);
}

/** undefined of none. */
export function highestRole(roles: readonly OperatorRole[]): OperatorRole | undefined {
  return operatorRoles.findLast((role) => roles.includes(role));
}

/** How the table `users` holds the role of an account. */
export interface AccountRoleColumns {
  /** The column that also processes of release 0.2 read. For them, every operator may do everything. */
  role: 'user' | 'operator';
  operator_role: OperatorRole | null;
}

/**
 * undefined: no operator. Operators of before there were roles could do everything, so they are admins. A viewer is a `user`
 * for processes of release 0.2, and an account that one of them made a `user` is no operator.
 */
export function toAccountRole({ role, operator_role }: AccountRoleColumns): OperatorRole | undefined {
  if (role === 'operator') return operator_role ?? 'admin';
  return operator_role === 'viewer' ? 'viewer' : undefined;
}

export function toRoleColumns(role: OperatorRole | undefined): AccountRoleColumns {
  const isKnownBefore = role === 'operator' || role === 'admin';
  return { role: isKnownBefore ? 'operator' : 'user', operator_role: role ?? null };
}
