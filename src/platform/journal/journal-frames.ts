/** The format of a journal: one frame per line, `crc32 json-array\n`, then zeros that were allocated ahead. */
import { open } from 'node:fs/promises';
import { crc32 } from 'node:zlib';
import type { Logger } from 'pino';

const READ_BYTES = 1024 * 1024;
const CRC_DIGITS = 8;
const NEWLINE = 10;

export class JournalCorruptError extends Error {
  override readonly name = 'JournalCorruptError';
}

/** `records` are JSON texts. */
export function encodeFrame(records: readonly string[]): Buffer {
  const json = `[${records.join(',')}]`;
  return Buffer.from(`${toDigits(crc32(json))} ${json}\n`);
}

/**
 * Passes each record of the file to `onRecord` and returns where the last good frame ends. If the file may be torn and no
 * good frame follows, the rest is a write cut short by a crash, which was never acknowledged. Anything else is damage to
 * acknowledged data, which must not be dropped silently.
 */
export async function readFrames(
  path: string,
  onRecord: (record: unknown) => void,
  expect: 'complete' | 'maybe-torn',
  log?: Logger,
): Promise<number> {
  let goodBytes = 0;
  let badFrom: number | undefined;
  for await (const { line, end, isTerminated } of linesOf(path)) {
    if (badFrom === undefined && !isTerminated && isAllocated(line)) break;
    const records = isTerminated ? decodeFrame(line) : undefined;
    if (records === undefined) {
      badFrom ??= goodBytes;
    } else if (badFrom !== undefined) {
      throw corrupt(path, badFrom, 'good records follow it');
    } else {
      for (const record of records) onRecord(record);
      goodBytes = end;
    }
  }
  if (badFrom !== undefined) {
    if (expect === 'complete') throw corrupt(path, badFrom, 'this file was complete before');
    log?.warn({ path, offset: badFrom }, 'the last write before the stop was cut short and is dropped');
  }
  return goodBytes;
}

function corrupt(path: string, offset: number, why: string): JournalCorruptError {
  return new JournalCorruptError(
    `${path} is damaged at byte ${offset} (${why}). Restore the folder from a backup, or, giving up what stands after ` +
      `that byte, cut it off with: truncate -s ${offset} ${path}`,
  );
}

/** Zeros that were allocated for frames that never came. */
function isAllocated(line: Buffer): boolean {
  return line.every((byte) => byte === 0);
}

function decodeFrame(line: Buffer): unknown[] | undefined {
  const digits = line.toString('latin1', 0, CRC_DIGITS);
  const json = line.subarray(CRC_DIGITS + 1);
  if (digits !== toDigits(crc32(json))) return undefined;
  return JSON.parse(json.toString()) as unknown[];
}

interface Line {
  line: Buffer;
  /** Offset in the file just after this line. */
  end: number;
  isTerminated: boolean;
}

async function* linesOf(path: string): AsyncGenerator<Line> {
  const file = await open(path, 'r');
  try {
    let rest: Buffer = Buffer.alloc(0);
    let end = 0;
    for (;;) {
      const chunk = Buffer.allocUnsafe(READ_BYTES);
      const { bytesRead } = await file.read(chunk, 0, READ_BYTES);
      if (bytesRead === 0) break;
      let text = Buffer.concat([rest, chunk.subarray(0, bytesRead)]);
      for (let at = text.indexOf(NEWLINE); at !== -1; at = text.indexOf(NEWLINE)) {
        end += at + 1;
        yield { line: text.subarray(0, at), end, isTerminated: true };
        text = text.subarray(at + 1);
      }
      rest = text;
    }
    if (rest.length > 0) yield { line: rest, end: end + rest.length, isTerminated: false };
  } finally {
    await file.close();
  }
}

const toDigits = (crc: number): string => crc.toString(16).padStart(CRC_DIGITS, '0');
