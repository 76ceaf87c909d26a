import {
  appendFileSync,
  constants,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmdirSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { open } from 'node:fs/promises';
import { join } from 'node:path';
import { pino } from 'pino';
import { describe, expect, it } from 'vitest';
import { type Journal, type JournalOptions, openJournal } from '../../../src/platform/journal/journal.ts';
import { tempFolder } from '../../support/temp-folder.ts';
import { until } from '../../support/until.ts';

const log = pino({ level: 'silent' });

/** A minimal store: the last value of each key. */
async function openMap(dir: string, options: Partial<JournalOptions> = {}) {
  const map = new Map<string, unknown>();
  const journal: Journal = await openJournal({
    dir,
    log,
    replay: (record) => {
      const [key, value] = record as [string, unknown];
      map.set(key, value);
    },
    snapshot: () => map.entries(),
    ...options,
  });
  const put = (key: string, value: unknown) => {
    map.set(key, value);
    journal.append([key, value]);
  };
  return { map, journal, put };
}

describe('the journal', () => {
  it('replays flushed records in order', async () => {
    const dir = tempFolder();
    const first = await openMap(dir);
    first.put('a', 1);
    first.put('b', { text: '한글\n"quoted"' });
    await first.journal.flushed();
    first.put('a', 2);
    await first.journal.close();
    const { map, journal } = await openMap(dir);
    expect([...map]).toEqual([
      ['a', 2],
      ['b', { text: '한글\n"quoted"' }],
    ]);
    await journal.close();
  });

  it('writes all records of one turn as one frame', async () => {
    const dir = tempFolder();
    const { put, journal } = await openMap(dir);
    for (let i = 0; i < 100; i += 1) put(`k${i}`, i);
    await journal.flushed();
    expect(readFileSync(join(dir, 'journal-0'), 'utf8').trimEnd().split('\n')).toHaveLength(1);
    await journal.close();
  });

  it('waits for the disk with every frame', async () => {
    let [flags, syncs] = [0, 0];
    const openFile = (async (path: string, opened: number, mode: number) => {
      const file = await open(path, opened, mode);
      const datasync = file.datasync.bind(file);
      const counted = () => {
        syncs += 1;
        return datasync();
      };
      flags = opened;
      return Object.assign(file, { datasync: counted });
    }) as typeof open;
    const { put, journal } = await openMap(tempFolder(), { openFile });
    for (const key of ['a', 'b', 'c']) {
      put(key, key);
      await journal.flushed();
    }
    await journal.close();
    const isEveryWriteSynchronous = (flags & constants.O_DSYNC) === constants.O_DSYNC;
    expect(isEveryWriteSynchronous || syncs === 3).toBe(true);
  });

  it('recovers from a last write cut short at any byte, and continues from there', async () => {
    const dir = tempFolder();
    const { put, journal } = await openMap(dir);
    put('a', 1);
    await journal.flushed();
    const whole = statSync(join(dir, 'journal-0')).size;
    put('b', 'the frame that is cut short');
    await journal.close();
    const full = readFileSync(join(dir, 'journal-0'));
    for (let length = whole; length < full.length; length += 1) {
      writeFileSync(join(dir, 'journal-0'), full.subarray(0, length));
      const reopened = await openMap(dir);
      expect([...reopened.map]).toEqual([['a', 1]]);
      reopened.put('c', 3);
      await reopened.journal.close();
      const again = await openMap(dir);
      expect([...again.map.keys()]).toEqual(['a', 'c']);
      await again.journal.close();
    }
  });

  it('recovers if a torn write left noise behind', async () => {
    const dir = tempFolder();
    const { put, journal } = await openMap(dir);
    put('a', 1);
    await journal.close();
    appendFileSync(join(dir, 'journal-0'), Buffer.from([0, 0, 10, 255, 0, 10, 0]));
    const { map, journal: reopened } = await openMap(dir);
    expect([...map]).toEqual([['a', 1]]);
    await reopened.close();
  });

  describe('killed with space allocated ahead', () => {
    /** The file after a kill: frames, then zeros. */
    async function leaveRoom(): Promise<{ image: Buffer; used: number }> {
      const dir = tempFolder();
      const path = join(dir, 'journal-0');
      const { put, journal } = await openMap(dir);
      put('large', 'x'.repeat(100_000));
      await journal.flushed();
      await until('room', () => statSync(path).size > 200_000);
      put('last', 'the frame that stands before the room');
      await journal.flushed();
      const image = readFileSync(path);
      await journal.close();
      const used = statSync(path).size;
      expect(image.subarray(used).every((byte) => byte === 0)).toBe(true);
      expect(image.length).toBeGreaterThan(used + 100_000);
      return { image, used };
    }

    /** Opens twice: the first one writes where the frames end. */
    async function keysAfterGoingOn(image: Buffer) {
      const dir = tempFolder();
      writeFileSync(join(dir, 'journal-0'), image);
      const { put, journal } = await openMap(dir);
      put('new', 1);
      await journal.close();
      const again = await openMap(dir);
      await again.journal.close();
      return [...again.map.keys()];
    }

    it('continues where the frames end', async () => {
      const { image } = await leaveRoom();
      expect(await keysAfterGoingOn(image)).toEqual(['large', 'last', 'new']);
    });

    it('drops a last frame that was cut short at any byte', async () => {
      const { image, used } = await leaveRoom();
      const from = image.lastIndexOf('\n', used - 2) + 1;
      for (let length = 1; length < used - from; length += 3) {
        const head = Buffer.from(image).fill(0, from + length);
        const tail = Buffer.from(image).fill(0, from, from + length);
        expect(await keysAfterGoingOn(head)).toEqual(['large', 'new']);
        expect(await keysAfterGoingOn(tail)).toEqual(['large', 'new']);
      }
    });

    it('accepts allocated space in a journal that is not the last', async () => {
      const { image } = await leaveRoom();
      const dir = tempFolder();
      writeFileSync(join(dir, 'journal-0'), image);
      writeFileSync(join(dir, 'journal-1'), '');
      const { map, journal } = await openMap(dir);
      expect([...map.keys()]).toEqual(['large', 'last']);
      await journal.close();
    });
  });

  it('loses no frame while space is allocated, even on a failing disk', async () => {
    const dir = tempFolder();
    const disk = createDisk();
    const { map, put, journal } = await openMap(dir, { openFile: disk.open });
    for (let round = 0; round < 400; round += 1) {
      disk.isFull = round % 100 === 50;
      put(`k${round}`, 'y'.repeat(9_000));
      const isFull = disk.isFull;
      const outcome = await journal.flushed().then(
        () => 'written',
        () => 'refused',
      );
      expect(outcome).toBe(isFull ? 'refused' : 'written');
      disk.isFull = false;
      await until('the disk to be tried again', () => journal.fault() === undefined);
    }
    await journal.close();
    const reopened = await openMap(dir);
    expect([...reopened.map]).toEqual([...map]);
    await reopened.journal.close();
  });

  it('refuses to open if the middle is damaged, because those records were acknowledged', async () => {
    const dir = tempFolder();
    const { put, journal } = await openMap(dir);
    for (const key of ['a', 'b', 'c']) {
      put(key, key);
      await journal.flushed();
    }
    await journal.close();
    const path = join(dir, 'journal-0');
    const bytes = readFileSync(path);
    bytes[bytes.indexOf('"b"')] = 120;
    writeFileSync(path, bytes);
    await expect(openMap(dir)).rejects.toThrow(/is damaged at byte \d+ .*truncate -s \d+/s);
  });

  it('refuses to open if a value was changed, although it is still JSON', async () => {
    const dir = tempFolder();
    const { put, journal } = await openMap(dir);
    for (const value of [1_001, 1_002]) {
      put('key', value);
      await journal.flushed();
    }
    await journal.close();
    const path = join(dir, 'journal-0');
    writeFileSync(path, readFileSync(path, 'utf8').replace('1001', '1007'));
    await expect(openMap(dir)).rejects.toThrow(/is damaged at byte 0/);
  });

  it('compacts while records keep coming, and loses none', async () => {
    const dir = tempFolder();
    const { map, put, journal } = await openMap(dir, { compactAboveBytes: 20_000 });
    for (let round = 0; round < 200; round += 1) {
      for (let i = 0; i < 50; i += 1) put(`k${i * (round % 7)}`, round);
      await journal.flushed();
    }
    await until('a snapshot', () => readdirSync(dir).some((name) => name.startsWith('snapshot-')));
    await journal.close();
    const bytes = readdirSync(dir).reduce((sum, name) => sum + statSync(join(dir, name)).size, 0);
    expect(bytes).toBeLessThan(100_000);
    const reopened = await openMap(dir);
    expect(new Map([...reopened.map].sort())).toEqual(new Map([...map].sort()));
    await reopened.journal.close();
  });

  it('recovers from a crash during a compaction', async () => {
    const dir = tempFolder();
    const { put, journal } = await openMap(dir);
    put('a', 1);
    await journal.close();
    const second = await openMap(dir);
    second.put('b', 2);
    await second.journal.close();
    // The journal of the next generation exists, but its snapshot was not finished.
    const frames = readFileSync(join(dir, 'journal-0'), 'utf8').split('\n');
    writeFileSync(join(dir, 'journal-0'), `${frames[0]}\n`);
    writeFileSync(join(dir, 'journal-1'), `${frames[1]}\n`);
    writeFileSync(join(dir, 'unfinished-snapshot-1'), 'half a snap');
    const { map, journal: reopened } = await openMap(dir);
    expect([...map]).toEqual([
      ['a', 1],
      ['b', 2],
    ]);
    await reopened.close();
  });

  it('rejects callers while the disk fails, keeps the records and writes them once it works', async () => {
    const dir = tempFolder();
    const disk = createDisk();
    const { put, journal } = await openMap(dir, { openFile: disk.open });
    put('a', 1);
    await journal.flushed();
    disk.isFull = true;
    put('b', 2);
    await expect(journal.flushed()).rejects.toThrow(/cannot be written: ENOSPC/);
    expect(journal.fault()).toMatch(/ENOSPC/);
    put('c', 3);
    disk.isFull = false;
    await until('the disk to be tried again', () => journal.fault() === undefined);
    await journal.close();
    const { map, journal: reopened } = await openMap(dir);
    expect([...map.keys()]).toEqual(['a', 'b', 'c']);
    await reopened.close();
  });

  it('keeps working if a compaction fails', async () => {
    const dir = tempFolder();
    const { put, journal } = await openMap(dir, { compactAboveBytes: 1 });
    mkdirSync(join(dir, 'journal-1'));
    for (const key of ['a', 'b']) {
      put(key, key);
      await journal.flushed();
    }
    await journal.close();
    rmdirSync(join(dir, 'journal-1'));
    const { map, journal: reopened } = await openMap(dir);
    expect([...map.keys()]).toEqual(['a', 'b']);
    await reopened.close();
  });
});

/** A disk that can be full: writes leave half of the frame behind and fail. Large writes take a while. */
function createDisk() {
  const disk = {
    isFull: false,
    open: (async (...args: Parameters<typeof open>) => {
      const file = await open(...args);
      const write = file.write.bind(file) as (...args: unknown[]) => Promise<{ bytesWritten: number }>;
      const failing = async (bytes: Buffer, offset: number, length: number, position: number) => {
        if (length > 500_000) await new Promise((resolve) => setTimeout(resolve, 20));
        if (!disk.isFull) return write(bytes, offset, length, position);
        await write(bytes, offset, Math.floor(length / 2), position);
        throw Object.assign(new Error('ENOSPC: no space left on device'), { code: 'ENOSPC' });
      };
      return Object.assign(file, { write: failing });
    }) as typeof open,
  };
  return disk;
}
