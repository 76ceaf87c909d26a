/** `createFairline`: an instance inside another program. */
import { existsSync, readdirSync } from 'node:fs';
import { describe, expect, it, onTestFinished } from 'vitest';
import { createFairline, type FairlineOptions } from '../../src/compose/create-fairline.ts';
import { tempFolder } from '../support/temp-folder.ts';

async function start(options?: FairlineOptions) {
  const fairline = await createFairline(options);
  onTestFinished(() => fairline.close());
  const ask = async (method: string, path: string, token?: string, body?: unknown) => {
    const response = await fetch(`${fairline.url}${path}`, {
      method,
      headers: {
        ...(token !== undefined && { authorization: `Bearer ${token}` }),
        ...(body !== undefined && { 'content-type': 'application/json' }),
      },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    });
    return (await response.json()) as { threshold: number; number: number; entryToken?: string };
  };
  const join = async (eventId: string, user: string) =>
    ask('POST', `/api/queue/check/${eventId}`, await fairline.userToken(user));
  return { ...fairline, ask, join };
}

describe('createFairline', () => {
  it('reads no environment variables, and takes settings by their names', async () => {
    process.env.QUEUE_THRESHOLD = '7';
    onTestFinished(() => {
      delete process.env.QUEUE_THRESHOLD;
    });
    const [one, other] = await Promise.all([start(), start({ settings: { QUEUE_THRESHOLD: '3' } })]);
    await one.putRoom('sale');
    await other.putRoom('sale');
    expect((await one.join('sale', 'ann')).threshold).toBe(1_000);
    expect((await other.join('sale', 'ann')).threshold).toBe(3);
  });

  it('keeps the line of a folder, and removes only a folder of its own', async () => {
    const dataDir = tempFolder();
    const first = await start({ dataDir });
    await first.putRoom('sale', { maxActive: 0 });
    const place = await first.join('sale', 'ann');
    await first.close();
    await first.close();
    const second = await start({ dataDir });
    expect((await second.join('sale', 'ann')).number).toBe(place.number);
    expect(second.gate.secrets.auth).toBe(first.gate.secrets.auth);
    const own = await start();
    expect(existsSync(own.dataDir)).toBe(true);
    await own.close();
    expect([existsSync(own.dataDir), existsSync(dataDir)]).toEqual([false, true]);
  });

  it('names a setting that is wrong, and leaves no folder behind', async () => {
    const [before, folder] = [process.env.TMPDIR, tempFolder()];
    process.env.TMPDIR = folder;
    onTestFinished(() => {
      process.env.TMPDIR = before ?? '';
    });
    await expect(createFairline({ settings: { QUEUE_THRESHOLD: 'many' } })).rejects.toThrow('QUEUE_THRESHOLD');
    expect(readdirSync(folder)).toEqual([]);
  });

  it('says why a room cannot be created', async () => {
    const { putRoom } = await start();
    await expect(putRoom('sale', { maxActive: -1 })).rejects.toThrow(/PUT \/api\/admin\/rooms\/sale: 400 .*maxActive/);
  });

  it('sells an event with a shop', async () => {
    const { putEvent, userToken, ask, join } = await start({ shop: true });
    await putEvent('gala', { standing: [{ id: 'floor', name: 'Floor', quantity: 5, price: 100 }] });
    await putEvent('opera');
    const { entryToken } = await join('opera', 'ann');
    expect(entryToken).toEqual(expect.any(String));
    const events = await ask('GET', '/api/events', await userToken('ann'));
    expect(JSON.stringify(events)).toMatch(/gala.*opera|opera.*gala/);
  }, 180_000);
});
