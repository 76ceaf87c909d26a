/** Replaces a small file of DATA_DIR at once, so that a crash leaves the old or the new one. */
import { open, rename } from 'node:fs/promises';

export async function replaceFile(path: string, content: object): Promise<void> {
  const unfinished = `${path}.unfinished`;
  const file = await open(unfinished, 'w', 0o600);
  try {
    await file.writeFile(JSON.stringify(content));
    await file.datasync();
  } finally {
    await file.close();
  }
  await rename(unfinished, path);
}
