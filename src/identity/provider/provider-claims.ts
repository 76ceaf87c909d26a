/** What the identity provider says about an operator who signed in there. */
import { createHash } from 'node:crypto';
import { findClaimedRole, type RoleMap } from '../roles/claimed-role.ts';
import type { OperatorRole } from '../roles/operator-roles.ts';

export interface ProviderOperator {
  /** Of issuer and subject: the provider never gives the same to somebody else. */
  id: string;
  issuer: string;
  subject: string;
  /** In lower case; undefined: the provider does not say that it has checked the address. */
  email?: string;
  /** Of the claim; undefined: it names none. */
  claimedRole?: OperatorRole;
  /** For the audit trail. */
  name: string;
}

export interface RoleClaim {
  claim: string;
  map: RoleMap;
}

type Claims = Readonly<Record<string, unknown>>;

/** The claims of a verified id token, with those of the userinfo endpoint. */
export function toProviderOperator(issuer: string, subject: string, claims: Claims, role: RoleClaim): ProviderOperator {
  const email = findVerifiedEmail(claims);
  const claimedRole = findClaimedRole(claims, role.claim, role.map);
  return {
    ...{ id: toPersonId(issuer, subject), issuer, subject, name: `oidc:${email ?? subject}` },
    ...(email === undefined ? {} : { email }),
    ...(claimedRole === undefined ? {} : { claimedRole }),
  };
}

/** An address that nobody checked could be anybody's, so it neither invites nor names an operator. */
function findVerifiedEmail({ email, email_verified: isVerified }: Claims): string | undefined {
  if (typeof email !== 'string' || (isVerified !== true && isVerified !== 'true')) return undefined;
  return toEmail(email);
}

/** undefined: not an email address. */
export function toEmail(text: string): string | undefined {
  const email = text.trim().toLowerCase();
  return email.length <= 254 && /^[^\s@]+@[^\s@]+$/.test(email) ? email : undefined;
}

function toPersonId(issuer: string, subject: string): string {
  return createHash('sha256').update(`fairline operator\n${issuer}\n${subject}`).digest('base64url').slice(0, 22);
}
