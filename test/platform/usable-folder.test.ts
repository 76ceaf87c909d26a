/** A DATA_DIR that cannot be used gives one line that says why. */
import { execFileSync } from 'node:child_process';
import { chmodSync, mkdirSync, readdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { requireUsableFolder } from '../../src/platform/folder/usable-folder.ts';
import { tempFolder } from '../support/temp-folder.ts';

const NOBODY = 65_534;
const OPTIONAL = process.platform === 'linux' && process.getuid?.() === 0;

describe('a folder', () => {
  it('is created, tried out and left as it was', async () => {
    const dir = join(tempFolder(), 'a', 'b');
    await requireUsableFolder(dir);
    expect(readdirSync(dir)).toEqual([]);
  });

  it.each([
    ['a file', (path: string) => writeFileSync(path, '')],
    ['a pipe', (path: string) => execFileSync('mkfifo', [path])],
    ['a link to itself', (path: string) => symlinkSync(path, path)],
  ])('that is %s is refused', async (_, make) => {
    const path = join(tempFolder(), 'data');
    make(path);
    await expect(requireUsableFolder(path)).rejects.toThrow(
      new RegExp(`^DATA_DIR=${path}: (not a directory|a symbolic link).*; set DATA_DIR to a directory on a disk$`),
    );
  });

  it('inside of a file is refused', async () => {
    const file = join(tempFolder(), 'file');
    writeFileSync(file, '');
    await expect(requireUsableFolder(join(file, 'data'))).rejects.toThrow(/inside of a file/);
  });

  it('with a path that is too long is refused', async () => {
    await expect(requireUsableFolder(join(tempFolder(), 'x'.repeat(300)))).rejects.toThrow(/the path is too long/);
  });

  it.each(['EACCES', 'EPERM', 'EROFS', 'ENOSPC', 'EDQUOT', 'EINVAL', 'ENOTSUP', 'EIO'].map((code) => [code]))(
    'whose file system fails with %s is refused in one line',
    async (code) => {
      const steps = () => Promise.reject(Object.assign(new Error(), { code, syscall: 'fsync' }));
      const error = await requireUsableFolder(tempFolder(), steps).catch((reason) => reason);
      expect(error.name).toBe('UnusableFolderError');
      expect(error.message).toMatch(/^DATA_DIR=.*: [^\n]*; [^\n]*$/);
    },
  );

  it('that does not answer is refused instead of waited for', async () => {
    await expect(requireUsableFolder(tempFolder(), () => new Promise(() => {}), 20)).rejects.toThrow(
      /does not answer within 0.02 s; check the mount/,
    );
  });

  it.runIf(process.platform === 'linux')('in /proc is refused', async () => {
    await expect(requireUsableFolder('/proc/fairline')).rejects.toThrow(/^DATA_DIR=\/proc\/fairline: on proc/);
    await expect(requireUsableFolder('/sys/fairline')).rejects.toThrow(/which keeps no files/);
  });

  it.runIf(process.platform === 'linux')('in memory is used, with a warning', async () => {
    expect(await requireUsableFolder(`/dev/shm/fairline-${process.pid}`)).toEqual([
      expect.stringMatching(/is in memory: everything in it is lost/),
    ]);
    execFileSync('rmdir', [`/dev/shm/fairline-${process.pid}`]);
  });

  /** Root may write everywhere but to a mount. */
  it.runIf(OPTIONAL)('that is full or read-only is refused', async () => {
    const dir = join(tempFolder(), 'mount');
    mkdirSync(dir);
    try {
      execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=16k', 'none', dir], { stdio: 'pipe' });
    } catch {
      // Containers may not mount; the errors themselves are tested above.
      return;
    }
    onTestFinished(() => void execFileSync('umount', [dir]));
    try {
      writeFileSync(join(dir, 'filler'), Buffer.alloc(64 * 1024));
    } catch {
      // Full now.
    }
    await expect(requireUsableFolder(dir)).rejects.toThrow(/the disk is full/);
    execFileSync('mount', ['-o', 'remount,ro', dir], { stdio: 'pipe' });
    await expect(requireUsableFolder(dir)).rejects.toThrow(/read-only file system/);
  });

  it('of somebody else is refused', async () => {
    const dir = tempFolder();
    chmodSync(dir, 0o555);
    // Root may write everywhere.
    const isRoot = process.geteuid?.() === 0;
    if (isRoot) process.seteuid!(NOBODY);
    onTestFinished(() => {
      if (isRoot) process.seteuid!(0);
      chmodSync(dir, 0o700);
    });
    await expect(requireUsableFolder(dir)).rejects.toThrow(/not writable by user \d+/);
  });
});
