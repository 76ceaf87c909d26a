/** Which role the claims of an identity provider give. */
import { highestRole, isOperatorRole, type OperatorRole } from './operator-roles.ts';

/** The role that each value of the claim gives. */
export type RoleMap = ReadonlyMap<string, OperatorRole>;

export const defaultRoleMap: RoleMap = new Map([
  ['fairline-viewer', 'viewer'],
  ['fairline-operator', 'operator'],
  ['fairline-admin', 'admin'],
]);

/** The highest of the roles that the values of the claim give; undefined: none of them gives one. */
export function findClaimedRole(
  claims: Readonly<Record<string, unknown>>,
  claim: string,
  map: RoleMap,
): OperatorRole | undefined {
  return highestRole(toValues(findClaim(claims, claim)).flatMap((value) => map.get(value) ?? []));
}

/** A claim by its name, or by a path such as `realm_access.roles`. A name may contain dots: it is looked up first. */
export function findClaim(claims: Readonly<Record<string, unknown>>, claim: string): unknown {
  if (Object.hasOwn(claims, claim)) return claims[claim];
  const [first = '', ...rest] = claim.split('.');
  const inner = Object.hasOwn(claims, first) ? claims[first] : undefined;
  if (rest.length === 0 || typeof inner !== 'object' || inner === null) return undefined;
  return findClaim(inner as Record<string, unknown>, rest.join('.'));
}

/** Providers send one value, a list, or an object whose keys are the values. */
function toValues(found: unknown): string[] {
  if (typeof found === 'string') return [found, ...found.split(/[\s,]+/)];
  if (Array.isArray(found)) return found.filter((value) => typeof value === 'string');
  return typeof found === 'object' && found !== null ? Object.keys(found) : [];
}

/** `sales=operator,platform=admin`; undefined: not of this form. */
export function readRoleMap(text: string): RoleMap | undefined {
  const pairs = text.split(',').map((pair) => {
    const at = pair.lastIndexOf('=');
    return [pair.slice(0, Math.max(at, 0)).trim(), pair.slice(at + 1).trim()] as const;
  });
  const isValid = pairs.every(([value, role]) => value !== '' && isOperatorRole(role));
  return isValid ? new Map(pairs as [string, OperatorRole][]) : undefined;
}
