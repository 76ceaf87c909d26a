/** Other users of the machine cannot read what is in DATA_DIR. */
import { chmodSync, mkdirSync, readdirSync, readFileSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { checkMachine } from '../../src/doctor/check-machine.ts';
import { findExposed, makePrivate } from '../../src/platform/private-folder.ts';
import { fillSecrets } from '../../src/platform/settings/secrets.ts';
import { startServer } from '../support/server-process.ts';
import { tempFolder } from '../support/temp-folder.ts';
import { until } from '../support/until.ts';

const modeOf = (path: string) => statSync(path).mode & 0o7777;

/** As an earlier version left it: readable by everybody. */
function createExposedFolder(): string {
  const dir = join(tempFolder(), 'data');
  for (const folder of [dir, join(dir, 'line')]) {
    mkdirSync(folder);
    chmodSync(folder, 0o777);
  }
  const file = join(dir, 'line', 'old');
  writeFileSync(file, 'old');
  chmodSync(file, 0o666);
  return dir;
}

describe('DATA_DIR', () => {
  it('is for its owner only, with everything in it, also the embedded database and what was there before', {
    timeout: 180_000,
  }, async () => {
    const dir = createExposedFolder();
    const server = await startServer({ DATA_DIR: dir, DEMO: 'on', SHOP: 'on' });
    await until('the embedded database', async () => (await server.ask('GET', '/api/events')).status === 200);
    expect(await server.kill('SIGTERM')).toBe(0);
    expect(readdirSync(dir, { recursive: true }).length).toBeGreaterThan(500);
    expect(await findExposed(dir)).toEqual([]);
    expect(modeOf(dir)).toBe(0o700);
    expect(modeOf(join(dir, 'line', 'old'))).toBe(0o600);
  });

  it('is not left through a symbolic link', async () => {
    const dir = createExposedFolder();
    const outside = join(dir, '..', 'outside');
    writeFileSync(outside, 'of somebody else');
    chmodSync(outside, 0o644);
    symlinkSync(outside, join(dir, 'link'));
    expect(await makePrivate(dir)).toEqual([]);
    expect(modeOf(outside)).toBe(0o644);
  });

  it('is not changed if it is a folder that all users share, and that is said', async () => {
    const dir = createExposedFolder();
    chmodSync(dir, 0o1777);
    expect(await makePrivate(dir)).toEqual([expect.stringContaining('all users share')]);
    expect(modeOf(dir)).toBe(0o1777);
    expect(modeOf(join(dir, 'line', 'old'))).toBe(0o666);
  });

  it('is reported by the doctor if others can access it', async () => {
    const dir = createExposedFolder();
    const what = `DATA_DIR ${dir} permissions`;
    const found = async () => (await checkMachine(dir)).find((check) => check.what === what);
    expect(await found()).toMatchObject({ state: 'warning', found: expect.stringContaining('(mode 777) and 2 more') });
    await makePrivate(dir);
    expect(await found()).toMatchObject({ state: 'ok' });
  });

  it('has the secrets in a file for its owner, even if a file of the same name was placed there', async () => {
    const dir = tempFolder();
    const trap = join(dir, 'trap');
    writeFileSync(trap, '');
    symlinkSync(trap, join(dir, 'unfinished-secrets.json'));
    await fillSecrets(dir, { ticket: undefined });
    expect(modeOf(join(dir, 'secrets.json'))).toBe(0o600);
    expect(readFileSync(trap, 'utf8')).toBe('');
  });

  it('is for its owner only in the image too', () => {
    const image = readFileSync(join(import.meta.dirname, '../../Dockerfile'), 'utf8');
    expect(image).toMatch(/mkdir --mode=0700 \/data && chown node:node \/data/);
  });
});
