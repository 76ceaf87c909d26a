/** Attacks on the audit trail: change, remove, insert, cut, rewrite; by an operator of the database or of the machine. */
import { appendFileSync, existsSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it, vi } from 'vitest';
import { audit } from '../../src/cli/audit.ts';
import { hashEntry, toCanonicalJson, toLine, toLink } from '../../src/identity/audit-chain.ts';
import { ask, describeWithPostgres } from '../support/postgres-server.ts';
import { tempFolder } from '../support/temp-folder.ts';
import { createTestApp, type TestApp } from '../support/test-app.ts';
import { createTestTerminal } from '../support/test-terminal.ts';
import { createOperator, fromPage, shareDatabase, signIn } from './operator-accounts.ts';

const change = ({ operator }: TestApp, room: string, maxActive = 1) =>
  operator('PUT', `/api/admin/rooms/${room}`, { body: { maxActive } });

/** Runs `fairline audit verify`. */
async function verify(env: Record<string, string>, ...args: string[]): Promise<{ code: number; output: string }> {
  for (const [name, value] of Object.entries(env)) vi.stubEnv(name, value);
  try {
    const terminal = createTestTerminal();
    const code = (await audit.run(['verify', ...args], terminal))!;
    return { code, output: terminal.printed() };
  } finally {
    vi.unstubAllEnvs();
  }
}
const headIn = (output: string) => /Head: (\d+:[0-9a-f]{64})/.exec(output)![1]!;

describeWithPostgres('the audit trail in a database', () => {
  const { createProcess, url, server } = shareDatabase();
  const env = () => ({ DATABASE_URL: url(), DATA_DIR: tempFolder() });
  const rows = async () => ask(url(), 'select seq::int as seq, entry, hash from audit_entries order by seq');
  /** As a superuser who knows what he does. */
  const tamper = (statement: string) =>
    ask(
      url(),
      `begin; alter table audit_entries disable trigger all; ${statement};
      alter table audit_entries enable trigger all; commit`,
    );

  it('is one for all processes, in one order, and names the operator of each entry', async () => {
    const a = await createProcess();
    const b = await createProcess();
    const email = await createOperator(a);
    const cookie = await signIn(b, email);
    await Promise.all(
      Array.from({ length: 20 }, (_, n) =>
        (n % 2 === 0 ? a : b).anyone('PUT', `/api/admin/rooms/order-${n}`, {
          headers: { cookie, ...fromPage },
          body: { maxActive: n },
        }),
      ),
    );
    const seen = (await b.operator('GET', '/api/admin/audit?limit=200')).json();
    expect(seen).toEqual((await a.operator('GET', '/api/admin/audit?limit=200')).json());
    const ours = seen.filter(({ eventId = '' }: { eventId: string }) => eventId.startsWith('order-'));
    expect(ours.map(({ by }: { by: string }) => by)).toEqual(Array.from({ length: 20 }, () => email));
    const numbers = (await rows()).map(({ seq }) => seq);
    expect(numbers).toEqual(numbers.map((_, index) => index + 1));
    expect((await a.operator('GET', '/api/admin/audit/chain')).json()).toMatchObject({
      holds: true,
      entries: numbers.length,
    });
  });

  it('refuses update, delete and truncate, also to the owner of the table', async () => {
    const app = await createProcess();
    await change(app, 'kept');
    const before = await rows();
    for (const statement of [
      `update audit_entries set entry = '{}'`,
      'update audit_entries set seq = seq + 1 where false',
      'delete from audit_entries',
      'truncate audit_entries',
      `insert into audit_entries (seq, entry, hash) values (1, '{}', 'x') on conflict (seq) do update set entry = '{}'`,
    ]) {
      await expect(ask(url(), statement), statement).rejects.toThrow('append-only');
    }
    expect(await rows()).toEqual(before);
  });

  it('numbers and chains whatever is inserted, so that no entry can be put before another', async () => {
    const app = await createProcess();
    await change(app, 'inserted');
    const { length } = await rows();
    await ask(url(), `insert into audit_entries (seq, entry, hash) values (1000000, '{"forged":true}', 'x')`);
    const last = (await rows()).at(-1)!;
    expect(last.seq).toBe(length + 1);
    expect(last.hash).not.toBe('x');
    expect((await verify(env())).code).toBe(0);
  });

  it('shows which entry was changed or removed by a superuser', async () => {
    const app = await createProcess();
    for (const room of ['one', 'two', 'three']) await change(app, room);
    const all = await rows();
    const victim = all.at(-2)!;
    const restore = `update audit_entries set entry = $r$${victim.entry}$r$, hash = '${victim.hash}' where seq = ${victim.seq}`;

    await tamper(
      `update audit_entries set entry = replace(entry, '"admin-token"', '"ann@example.org"') where seq = ${victim.seq}`,
    );
    const changed = await verify(env());
    expect([changed.code, changed.output]).toEqual([1, expect.stringContaining(`BROKEN at entry ${victim.seq}:`)]);
    const forged = String(victim.entry).replace('"admin-token"', '"ann@example.org"');
    const hash = hashEntry(String(all.at(-3)!.hash), Number(victim.seq), forged);
    await tamper(`update audit_entries set hash = '${hash}' where seq = ${victim.seq}`);
    expect((await verify(env())).output).toContain(`BROKEN at entry ${Number(victim.seq) + 1}:`);
    await tamper(restore);
    expect((await verify(env())).code).toBe(0);

    await tamper(`update audit_entries set event_id = 'another' where seq = ${victim.seq}`);
    expect((await verify(env())).output).toContain(`BROKEN at entry ${victim.seq}:`);
    await tamper(`update audit_entries set event_id = 'two' where seq = ${victim.seq}`);

    await tamper(`delete from audit_entries where seq = ${victim.seq}`);
    expect((await verify(env())).output).toContain(`BROKEN at entry ${victim.seq}: expected entry ${victim.seq}`);
    const shown = await app.operator('GET', '/api/admin/audit/chain');
    expect(shown.json()).toMatchObject({ holds: false, brokenAt: victim.seq });
    await tamper(`insert into audit_entries (seq, entry, hash, event_id)
      values (${victim.seq}, $r$${victim.entry}$r$, '${victim.hash}', 'two')`);
    expect((await verify(env())).code).toBe(0);
  });

  it('shows by an anchor that the last entries were removed or everything was rewritten', async () => {
    const app = await createProcess();
    for (const room of ['four', 'five', 'six']) await change(app, room);
    const anchor = headIn((await verify(env())).output);
    const all = await rows();
    await tamper(`delete from audit_entries where seq > ${all.length - 2}`);
    // A chain alone cannot tell: what is left is whole.
    expect((await verify(env())).code).toBe(0);
    const cut = await verify(env(), '--anchor', anchor);
    expect([cut.code, cut.output]).toEqual([1, expect.stringContaining(`before the anchored entry ${all.length}`)]);
    for (const room of ['seven', 'eight']) await change(app, room);
    const rewritten = await verify(env(), '--anchor', anchor);
    expect([rewritten.code, rewritten.output]).toEqual([1, expect.stringContaining('the trail was rewritten')]);
  });

  it('records actions during an outage of the database, and carries them over afterwards', async () => {
    const app = await createProcess();
    await change(app, 'before-outage');
    await server().halt();
    expect((await change(app, 'during-outage')).statusCode).toBe(201);
    await server().resume();
    await change(app, 'after-outage');
    const seen = (await app.operator('GET', '/api/admin/audit?limit=4')).json();
    expect(seen.map(({ eventId, action }: { eventId?: string; action: string }) => eventId ?? action)).toEqual([
      'after-outage',
      'carry over audit file',
      'during-outage',
      'before-outage',
    ]);
    expect((await verify(env())).code).toBe(0);
  });

  it('carries over the file of an older version, once', async () => {
    const dataDir = tempFolder();
    const old = { at: '2025-01-01T00:00:00.000Z', action: 'change room', eventId: 'old', by: 'token', from: '::1' };
    writeFileSync(join(dataDir, 'audit.jsonl'), `${JSON.stringify({ ...old, traceId: 't', details: {} })}\n`);
    const app = await createProcess({ DATA_DIR: dataDir });
    await change(app, 'new');
    await change(app, 'newer');
    expect((await app.operator('GET', '/api/admin/audit?eventId=old')).json()).toMatchObject([old]);
    const [, , carried] = (await app.operator('GET', '/api/admin/audit?limit=3')).json();
    expect(carried).toMatchObject({ action: 'carry over audit file', by: 'system', details: { entries: 1 } });
    expect(existsSync(join(dataDir, carried.details.keptAs))).toBe(true);
  });
});

describe('the audit trail in a file', () => {
  const env = (dataDir: string) => ({ SHOP: 'off', DATA_DIR: dataDir });
  const fileOf = (dataDir: string) => join(dataDir, 'audit.jsonl');
  const linesOf = (dataDir: string) => readFileSync(fileOf(dataDir), 'utf8').trimEnd().split('\n');

  async function fill(dataDir: string, ...rooms: string[]): Promise<void> {
    const app = await createTestApp(env(dataDir));
    for (const room of rooms) await change(app, room);
    await app.app.close();
    await app.context.close();
  }

  it('continues its chain over restarts, and only its owner can read it', async () => {
    const dataDir = tempFolder();
    await fill(dataDir, 'one', 'two');
    await fill(dataDir, 'three');
    expect(linesOf(dataDir).map((line) => JSON.parse(line).seq)).toEqual([1, 2, 3]);
    expect(statSync(fileOf(dataDir)).mode & 0o777).toBe(0o600);
    const { code, output } = await verify(env(dataDir));
    expect([code, output]).toEqual([0, expect.stringMatching(/the chain holds, 3 entries\. Head: 3:[0-9a-f]{64}/)]);
  });

  it('shows a changed, removed, moved or added line, and by an anchor a cut end', async () => {
    const dataDir = tempFolder();
    await fill(dataDir, 'one', 'two', 'three', 'four');
    const anchor = headIn((await verify(env(dataDir))).output);
    const [one, two, three, four] = linesOf(dataDir) as [string, string, string, string];
    const check = async (lines: string[], ...args: string[]) => {
      writeFileSync(fileOf(dataDir), lines.map((line) => `${line}\n`).join(''));
      return (await verify(env(dataDir), ...args)).output;
    };
    expect(await check([one, two.replace('"admin-token"', '"ann"'), three, four])).toContain('BROKEN at entry 2:');
    expect(await check([one, three, four])).toContain('BROKEN at entry 2:');
    expect(await check([one, three, two, four])).toContain('BROKEN at entry 2:');
    expect(await check([one, two, '{"action":"added"}', three])).toContain('BROKEN at entry 3:');
    expect(await check([one, two])).toContain('the chain holds');
    expect(await check([one, two], '--anchor', anchor)).toContain('before the anchored entry 4');
    expect(await check([one, two, three, four], '--anchor', anchor)).toContain('the chain holds, 4 entries');
  });

  it('goes on after an interrupted write, which was never acknowledged', async () => {
    const dataDir = tempFolder();
    await fill(dataDir, 'one');
    appendFileSync(fileOf(dataDir), '{"action":"change ro');
    await fill(dataDir, 'two');
    expect((await verify(env(dataDir))).output).toContain('the chain holds, 2 entries');
  });

  it('chains the entries of an older version and keeps their file', async () => {
    const dataDir = tempFolder();
    const old = [1, 2].map((n) => JSON.stringify({ at: `2025-01-0${n}`, action: `old ${n}`, details: { n } }));
    writeFileSync(fileOf(dataDir), `${old.join('\n')}\n`);
    await fill(dataDir, 'new');
    expect(linesOf(dataDir).map((line) => JSON.parse(line).action)).toEqual(['old 1', 'old 2', 'create room']);
    expect((await verify(env(dataDir))).output).toContain('the chain holds, 3 entries');
    expect(readFileSync(join(dataDir, 'audit.unchained'), 'utf8')).toBe(`${old.join('\n')}\n`);
    expect(readdirSync(dataDir).filter((name) => name.endsWith('.lock'))).toEqual([]);
  });
});

describe('the chain', () => {
  it('has the hash that the documentation gives for the first entry', () => {
    const entry = {
      at: '2027-01-01T00:00:00.000Z',
      action: 'sign in',
      by: 'token',
      from: '::1',
      traceId: 't',
      details: {},
    };
    const link = toLink(undefined, entry);
    expect(link.entry).toBe(
      '{"action":"sign in","at":"2027-01-01T00:00:00.000Z","by":"token","details":{},"from":"::1","traceId":"t"}',
    );
    expect(link.hash).toBe(hashEntry('0'.repeat(64), 1, link.entry));
    expect(JSON.parse(toLine(link))).toEqual({ ...entry, seq: 1, hash: link.hash });
  });

  it('has one text for one content, whatever the order of its fields', () => {
    const text = toCanonicalJson({ b: [1, { d: null, c: '\u0000é' }], a: undefined, aa: 1e21 });
    expect(text).toBe('{"aa":1e+21,"b":[1,{"c":"\\u0000é","d":null}]}');
    expect(toCanonicalJson(JSON.parse(text))).toBe(text);
  });
});
