/** A rehearsal in which visitors buy, against the whole program with its shop. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { rehearse } from '../../src/cli/rehearse.ts';
import { describeWithPostgres, sharedPostgres } from '../support/postgres-server.ts';
import { startServer } from '../support/server-process.ts';
import { tempFolder } from '../support/temp-folder.ts';
import { secrets } from '../support/test-app.ts';
import { createTestTerminal } from '../support/test-terminal.ts';

const PATIENT = ['--goal-p50', '60000', '--goal-p99', '60000'];
const SEATS = 40;

async function startShop() {
  const postgres = await sharedPostgres();
  const server = await startServer({
    DATA_DIR: tempFolder(),
    DATABASE_URL: await postgres.createDatabase(),
    SHOP: 'on',
    QUEUE_ADMISSION_INTERVAL_MS: '100',
  });
  const operate = async (method: string, path: string, body: object) => {
    const answer = await server.ask(method, `/api/admin${path}`, { operator: true, body });
    expect(answer.status, JSON.stringify(answer.body)).toBeLessThan(300);
    return answer;
  };
  const sections = [{ id: 'A', name: 'Front', rows: 4, seatsPerRow: SEATS / 4, price: 50_000 }];
  await operate('PUT', '/layouts/hall', { name: 'Hall', sections, standing: [] });
  await operate('PUT', '/events/show', { title: 'Show', startsAt: '2100-01-01T10:00:00Z', maxPerPerson: 4 });
  await operate('POST', '/events/show/seats', { layoutId: 'hall' });
  await operate('POST', '/events/show/open', {});
  // A room that follows the stock admits nobody once everything is sold; here visitors are to meet a sold-out shop.
  await operate('PUT', '/rooms/show', { followStock: false });
  const sales = async () => (await server.ask('GET', '/api/admin/events/show/sales', { operator: true })).body;
  return { server, sales };
}

async function run(...args: string[]) {
  const kept = join(tempFolder(), 'secrets.json');
  writeFileSync(kept, JSON.stringify({ auth: secrets.AUTH_JWT_SECRET, adminToken: secrets.ADMIN_TOKEN }));
  const terminal = createTestTerminal();
  const crowd = ['--arrival-minutes', '0.02', '--arrivals', 'steady', '--shopping', 'fixed:0.2', '--streams', '20%'];
  const identity = ['--secret-file', kept, '--operator-token-file', kept];
  const status = await rehearse.run([...args, ...crowd, ...identity, ...PATIENT, '--json'], terminal);
  return { status, report: JSON.parse(terminal.printed()) };
}

describeWithPostgres('a rehearsal with purchases', () => {
  it('buys as planned, and does not count a sold-out response as an error', async () => {
    const { server, sales } = await startShop();
    const none = ['--visitors', '6', '--limit', '6', '--buy', '1', '--buying', '0%', '--seed', '3'];
    const unsold = await run(server.url, '--event', 'show', ...none);
    expect([unsold.status, unsold.report.seatsBought]).toEqual([0, 0]);
    expect(await sales()).toMatchObject({ purchases: 0, stock: [{ sold: 0, held: 0 }] });

    const first = await run(server.url, '--event', 'show', '--visitors', '12', '--limit', '6', '--buy', '2');
    expect([first.status, first.report.problems, first.report.seatsBought]).toEqual([0, {}, 24]);
    expect(await sales()).toMatchObject({ purchases: 12, stock: [{ total: SEATS, sold: 24, held: 0 }] });

    const more = ['--visitors', '12', '--limit', '6', '--buy', '2', '--seed', '2'];
    const second = await run(server.url, '--event', 'show', ...more);
    expect([second.status, second.report.problems, second.report.seatsBought]).toEqual([0, {}, SEATS - 24]);
    expect(await sales()).toMatchObject({ purchases: 20, stock: [{ sold: SEATS, held: 0 }] });
  });
});
