/**
 * Links sent by mail, each good for one use. The secret is in the fragment, which browsers send to no server, so it appears in no
 * log; the database has only its hash.
 */
import { createHash, randomBytes } from 'node:crypto';
import type { Clock } from '../platform/clock.ts';
import type { AccountStore, LinkPurpose } from './account-store.ts';

export interface MailedLinks {
  /** undefined: the user has enough links of this purpose that still work. */
  create(userId: string, purpose: LinkPurpose): Promise<string | undefined>;
}

export interface MailedLinksOptions {
  store: Pick<AccountStore, 'createLink'>;
  /** The origin of this site. */
  publicUrl: string;
  clock: Clock;
}

interface LinkKind {
  path: string;
  minutes: number;
}

export const linkKinds: Readonly<Record<LinkPurpose, LinkKind>> = {
  'reset password': { path: '/reset-password', minutes: 30 },
  'confirm email': { path: '/confirm-email', minutes: 24 * 60 },
};

/**
 * A stranger can cause as many mails, and no more. They cannot keep the owner from a link: while no further mail is sent, the
 * owner's mailbox has links that work.
 */
const MOST_WORKING = 3;

export function createMailedLinks({ store, publicUrl, clock }: MailedLinksOptions): MailedLinks {
  return {
    async create(userId, purpose) {
      const { path, minutes } = linkKinds[purpose];
      const secret = randomBytes(32).toString('base64url');
      const expiresAt = clock.now() + minutes * 60_000;
      const link = { userId, purpose, secretHash: hashSecret(secret), expiresAt, most: MOST_WORKING };
      return (await store.createLink(link)) === 'created' ? `${publicUrl}${path}#${secret}` : undefined;
    },
  };
}

/** The secret is long and random, so one round suffices. */
export function hashSecret(secret: string): string {
  return createHash('sha256').update(secret).digest('base64url');
}
