/** Memberships in PostgreSQL. */
import { randomBytes } from 'node:crypto';
import type { Clock } from '../../platform/clock.ts';
import { createBatchedLookup } from '../../platform/concurrency/batched-lookup.ts';
import type { LazyDatabase } from '../../platform/database/lazy-database.ts';
import type { MembershipStore } from '../membership-store.ts';
import * as statements from './membership-statements.ts';

export interface MembershipStoreOptions {
  database: LazyDatabase;
  clock: Clock;
  price: { amount: number; currency: string };
}

export function createMembershipStore({ database, clock, price }: MembershipStoreOptions): MembershipStore {
  const now = () => new Date(clock.now());
  return {
    async subscribe(userId) {
      const db = await database.get();
      const id = `m_${randomBytes(12).toString('base64url')}`;
      await statements.insertPending(db, { id, userId, ...price, now: now() });
      const pending = await statements.findPending(db, userId);
      // Paid between the two statements: return that one.
      return pending ?? (await statements.listOf(db, userId))[0]!;
    },
    async listOf(userId) {
      return statements.listOf(await database.get(), userId);
    },
    // Called for every visitor who joins a line with a priority lane, so calls are batched.
    isMember: createBatchedLookup(async (userIds) => statements.findMembers(await database.get(), userIds, now())),
  };
}
