/** Posters in a folder: one per event. For one process, or several that share the folder. */
import { randomBytes } from 'node:crypto';
import { mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { type PosterStore, posterFiles, toPath } from '../poster-store.ts';

export function createFilePosterStore(folder: string): PosterStore {
  return {
    async put(key, file) {
      const path = join(folder, toPath(key));
      await mkdir(dirname(path), { recursive: true });
      const part = `${path}.${randomBytes(6).toString('hex')}.part`;
      try {
        await writeFile(part, file);
        await rename(part, path);
      } catch (error) {
        await rm(part, { force: true });
        throw error;
      }
    },
    async find(key) {
      try {
        return await readFile(join(folder, toPath(key)));
      } catch (error) {
        if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
        throw error;
      }
    },
    async removeVersion(eventId, version) {
      await Promise.all(
        posterFiles.map((file) => rm(join(folder, toPath({ eventId, version, file })), { force: true })),
      );
    },
  };
}
