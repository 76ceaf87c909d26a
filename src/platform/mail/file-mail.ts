/**
 * Writes mails to files that only the owner of the process may read, for an installation without a mail server. They contain
 * links that sign in, so the log names the file and not the link.
 */
import { mkdir, readdir, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createTransport } from 'nodemailer';
import type { Logger } from 'pino';
import type { SendMail } from './mail.ts';
import { automatic } from './smtp-mail.ts';

export interface FileMailOptions {
  dir: string;
  from: string;
  log: Logger;
  /** How many files are kept; the oldest are deleted. */
  kept?: number;
}

const KEPT = 1_000;

export function createFileMail({ dir, from, log, kept = KEPT }: FileMailOptions): SendMail {
  const composer = createTransport({ streamTransport: true, buffer: true, newline: 'unix' });
  let count = 0;
  return async ({ to, subject, text }) => {
    const { message } = await composer.sendMail({ from, to: { name: '', address: to }, subject, text, ...automatic });
    await mkdir(dir, { recursive: true, mode: 0o700 });
    count += 1;
    // Names sort by time; the counter keeps mails of the same millisecond apart.
    const name = `${new Date().toISOString().replaceAll(/[:.]/g, '-')}-${String(count).padStart(6, '0')}.eml`;
    const unfinished = join(dir, `${name}.unfinished`);
    await writeFile(unfinished, message as Buffer, { mode: 0o600, flag: 'wx' });
    await rename(unfinished, join(dir, name));
    log.info({ file: join(dir, name), subject }, 'mail written to a file, because MAIL_URL is not set');
    await deleteOldest(dir, kept);
  };
}

async function deleteOldest(dir: string, kept: number): Promise<void> {
  const files = (await readdir(dir)).filter((name) => name.endsWith('.eml')).sort();
  await Promise.all(
    files.slice(0, Math.max(0, files.length - kept)).map((name) => rm(join(dir, name), { force: true })),
  );
}
