import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it, onTestFinished, vi } from 'vitest';
import { createFairline, type Fairline } from '../../src/compose/create-fairline.ts';
import { Wake } from '../../src/platform/concurrency/wake.ts';

/** The loops that look for work in the database: keeper, sessions, relay, and the readers of `chain` and `stats`. */
const LOOPS = 5;

async function openShop(): Promise<Fairline> {
  const fairline = await createFairline({ shop: true });
  onTestFinished(() => fairline.close());
  return fairline;
}

function countStatements() {
  let count = 0;
  const note = () => {
    count += 1;
  };
  subscribe('fairline:statement', note);
  onTestFinished(() => void unsubscribe('fairline:statement', note));
  return () => count;
}

/** How many loops rest now. */
function watchRests() {
  let resting = 0;
  const { rest } = Wake.prototype;
  vi.spyOn(Wake.prototype, 'rest').mockImplementation(async function (this: Wake, calls, longestMs, signal) {
    resting += 1;
    // As if nobody had a deadline: only work ends the rest.
    await rest.call(this, calls, longestMs * 1_000, signal);
    resting -= 1;
  });
  onTestFinished(() => void vi.restoreAllMocks());
  return () => resting;
}

it('creates the embedded database when it is first needed', async () => {
  const { url, dataDir } = await openShop();
  expect((await fetch(`${url}/ready`)).status).toBe(200);
  expect(existsSync(join(dataDir, 'database'))).toBe(false);
  expect((await fetch(`${url}/api/events`)).status).toBe(200);
  expect(existsSync(join(dataDir, 'database'))).toBe(true);
});

it('asks the embedded database nothing while nobody uses it, and goes on when somebody does', async () => {
  const statements = countStatements();
  const resting = watchRests();
  const fairline = await openShop();
  await fairline.putEvent('concert');
  await vi.waitFor(() => expect(resting()).toBe(LOOPS), { timeout: 60_000 });
  const before = statements();
  for (let turn = 0; turn < 1_000; turn += 1) await new Promise(setImmediate);
  expect(resting()).toBe(LOOPS);
  expect(statements()).toBe(before);

  await fetch(`${fairline.url}/api/events`);
  // More than the request itself: the loops look again.
  await vi.waitFor(() => expect(statements()).toBeGreaterThan(before + LOOPS), { timeout: 60_000 });
});
