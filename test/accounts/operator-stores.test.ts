/** What operators need from a database, on each database. */
import { sql } from 'kysely';
import { expect, it } from 'vitest';
import { databaseSchema } from '../../src/compose/database-schema.ts';
import { PostgresAuditStore } from '../../src/identity/postgres/postgres-audit-store.ts';
import {
  createOperatorAccounts,
  createPostgresEndedSessions,
} from '../../src/identity/postgres/postgres-operator-accounts.ts';
import { PostgresSecondFactorStore } from '../../src/identity/postgres/postgres-second-factor-store.ts';
import { describeOnEachDatabase } from '../support/databases.ts';
import { createTestClock } from '../support/test-clock.ts';

const entry = (action: string, eventId?: string) => ({
  ...{
    at: '2027-01-01T00:00:00.000Z',
    action,
    by: 'token',
    from: '::1',
    traceId: 't',
    details: { text: '\u0000é\ud800' },
  },
  ...(eventId === undefined ? {} : { eventId }),
});

describeOnEachDatabase('the stores of operators', databaseSchema, (suite) => {
  it('chain audit entries in one order, whatever their text, and refuse changes', async () => {
    const store = new PostgresAuditStore(async () => suite.db);
    await Promise.all(Array.from({ length: 10 }, (_, n) => store.append(entry(`change ${n}`, 'concert'))));
    const again = [entry('change 3', 'concert'), entry('late 1'), entry('late 2')];
    for (const _ of [1, 2]) await store.appendMissing(again);
    expect(await store.checkChain()).toMatchObject({ outcome: 'holds', entries: 12 });
    const latest = await store.readLatest({ limit: 3 });
    expect(latest.map(({ seq, action }) => [seq, action]).slice(0, 2)).toEqual([
      [12, 'late 2'],
      [11, 'late 1'],
    ]);
    expect(await store.readLatest({ limit: 20, eventId: 'concert' })).toHaveLength(10);
    await expect(sql`delete from audit_entries`.execute(suite.db)).rejects.toThrow('append-only');
    await expect(sql`truncate audit_entries`.execute(suite.db)).rejects.toThrow('append-only');
  });

  it('remember ended sessions, and from when an account has none', async () => {
    const clock = createTestClock();
    const now = Math.floor(clock.now() / 1000);
    await sql`insert into users (id, email, password_hash, role, created_at)
      values ('u1', 'ann@example.org', 'x', 'operator', now())`.execute(suite.db);
    const accounts = createOperatorAccounts(suite.lazy);
    const ann = { userId: 'u1', email: 'ann@example.org', role: 'admin' as const, hasFactor: false };
    expect(await accounts.find(ann.email)).toEqual({ ...ann, sessionsEndedAt: 0 });
    await accounts.endSessions(ann.email, now);
    expect(await accounts.find(ann.email)).toEqual({ ...ann, sessionsEndedAt: now });
    await accounts.endSessions(ann.email, now);
    expect(await accounts.find(ann.email)).toEqual({ ...ann, sessionsEndedAt: now + 1 });
    expect(await accounts.find('nobody@example.org')).toBeUndefined();
    const ended = createPostgresEndedSessions(suite.lazy, clock);
    for (const _ of [1, 2]) await ended.end('s1', now + 10);
    clock.advance(11_000);
    await ended.end('s2', now + 20);
    expect([await ended.hasEnded('s1'), await ended.hasEnded('s2')]).toEqual([false, true]);
  });

  it('count attempts before a code is compared, and accept a step and a recovery code once', async () => {
    const clock = createTestClock();
    await sql`insert into users (id, email, password_hash, role, created_at)
      values ('u2', 'bob@example.org', 'x', 'operator', now())`.execute(suite.db);
    const store = new PostgresSecondFactorStore(suite.lazy, clock);
    expect(await store.countAttempt('u2', 'unconfirmed')).toEqual({ outcome: 'none' });
    for (const secret of ['first', 'second']) expect(await store.begin('u2', secret)).toBe(true);
    expect(await store.countAttempt('u2', 'unconfirmed')).toEqual({ outcome: 'counted', sealedSecret: 'second' });
    expect(await store.countAttempt('u2', 'confirmed')).toEqual({ outcome: 'none' });
    const confirm = (sealedSecret: string) =>
      store.confirm('u2', { sealedSecret, step: 7, recoveryCodeHashes: ['a', 'b'] });
    expect([await confirm('first'), await confirm('second'), await confirm('second')]).toEqual([false, true, false]);
    expect(await store.begin('u2', 'third')).toBe(false);
    expect([await store.acceptStep('u2', 7), await store.acceptStep('u2', 8)]).toEqual([false, true]);
    expect([await store.useRecoveryCode('u2', 'a'), await store.useRecoveryCode('u2', 'a')]).toEqual([true, false]);
    expect(await store.find('u2')).toEqual({ isConfirmed: true, recoveryCodesLeft: 1 });
    const outcomes = [];
    for (let n = 0; n < 6; n += 1) outcomes.push((await store.countAttempt('u2', 'confirmed')).outcome);
    expect(outcomes).toEqual([...Array(5).fill('counted'), 'limited']);
    const waits: number[] = [];
    for (let n = 0; n < 7; n += 1) {
      const limited = await store.countAttempt('u2', 'confirmed');
      if (limited.outcome !== 'limited') throw new Error('expected a wait');
      waits.push((limited.retryAt - clock.now()) / 1000);
      clock.advance(limited.retryAt - clock.now());
      await store.countAttempt('u2', 'confirmed');
    }
    expect(waits).toEqual([30, 60, 120, 240, 480, 900, 900]);
    expect([await store.remove('u2'), await store.remove('u2'), await store.find('u2')]).toEqual([
      true,
      false,
      undefined,
    ]);
  });
});
