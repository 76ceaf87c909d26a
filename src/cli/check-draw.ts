/** `fairline verify-draw`: reads a published draw from a server or from files, and verifies it. */
import { readFile } from 'node:fs/promises';
import { parseArgs } from 'node:util';
import { type PublishedDraw, verifyDraw } from '../line/draw/verify-draw.ts';

export const VERIFY_DRAW_USAGE = `Usage: fairline verify-draw <site-url> <event> [options]
       fairline verify-draw <draw.json> <entries.txt> [options]

  --lot LOT        also print the number that this lot drew
  --number N       fail unless the lot drew this number
  --commitment C   fail unless the commitment is the one you noted before the draw

Exit status: 0 the draw is correct, 1 a check failed, 2 the draw could not be checked.
`;

/** The message says why the draw could not be checked. */
class UncheckableError extends Error {
  override readonly name = 'UncheckableError';
}

export interface VerifyDrawOutput {
  print(line: string): void;
  fail(line: string): void;
}

/** Resolves to the exit code. */
export async function runVerifyDraw(args: string[], { print, fail }: VerifyDrawOutput): Promise<0 | 1 | 2> {
  try {
    const { positionals, values } = parse(args);
    const [first, second] = positionals as [string, string];
    const { draw, list } = await (/^https?:\/\//.test(first) ? fetchDraw(first, second) : readDraw(first, second));
    const { checks, numberOf } = verifyDraw(draw, list, values.commitment);
    if (values.lot !== undefined) checks.push(checkLot(values.lot, values.number, numberOf));
    for (const { what, ok, found } of checks) (ok ? print : fail)(ok ? `ok      ${what}` : `WRONG   ${what}: ${found}`);
    const isRight = checks.every(({ ok }) => ok);
    (isRight ? print : fail)(
      isRight ? `The draw is correct: ${draw.entries} visitors took part.` : 'The draw is NOT correct.',
    );
    return isRight ? 0 : 1;
  } catch (error) {
    if (!(error instanceof UncheckableError)) throw error;
    fail(`fairline verify-draw: ${error.message}`);
    return 2;
  }
}

function parse(args: string[]) {
  const text = { type: 'string' } as const;
  try {
    const options = { lot: text, number: text, commitment: text };
    const parsed = parseArgs({ args, allowPositionals: true, options });
    if (parsed.positionals.length === 2) return parsed;
  } catch (error) {
    throw new UncheckableError(`${(error as Error).message}\n\n${VERIFY_DRAW_USAGE}`);
  }
  throw new UncheckableError(`expected two arguments\n\n${VERIFY_DRAW_USAGE}`);
}

function checkLot(given: string, number: string | undefined, numberOf: (lot: string) => number | undefined) {
  const lot = given.trim().toLowerCase();
  const drawn = numberOf(lot);
  if (drawn === undefined) return { what: `lot ${lot} took part`, ok: false, found: 'it is not on the list' };
  if (number === undefined) return { what: `lot ${lot} drew number ${drawn}`, ok: true };
  return { what: `lot ${lot} drew number ${number}`, ok: String(drawn) === number, found: `it drew ${drawn}` };
}

async function fetchDraw(site: string, eventId: string) {
  const draw = await fetchText(new URL(`/api/rooms/${encodeURIComponent(eventId)}/draw`, site));
  const published = toPublished(draw);
  return { draw: published, list: await fetchText(new URL(published.entriesUrl ?? '', site)) };
}

async function fetchText(url: URL): Promise<string> {
  const response = await fetch(url).catch((error: Error) => {
    throw new UncheckableError(
      `${url.href} cannot be reached: ${(error.cause as Error | undefined)?.message ?? error.message}`,
    );
  });
  const text = await response.text();
  if (!response.ok) throw new UncheckableError(`${url.href} responded with ${response.status}: ${text.slice(0, 300)}`);
  return text;
}

async function readDraw(drawFile: string, listFile: string) {
  const [draw, list] = await Promise.all([drawFile, listFile].map(readText));
  return { draw: toPublished(draw!), list: list! };
}

async function readText(path: string): Promise<string> {
  try {
    return await readFile(path, 'utf8');
  } catch (error) {
    throw new UncheckableError(`${path} cannot be read: ${(error as Error).message}`);
  }
}

function toPublished(text: string): PublishedDraw & { entriesUrl?: string } {
  const draw = parseJson(text);
  if (draw.state === 'announced' || draw.state === 'drawing') {
    throw new UncheckableError(
      `the draw is not done yet; its commitment is ${draw.commitment}, note it down and pass it as --commitment afterwards`,
    );
  }
  const isHash = (value: unknown) => typeof value === 'string' && /^[0-9a-f]{64}$/.test(value);
  const isComplete =
    [draw.commitment, draw.seed, draw.listHash].every(isHash) &&
    [draw.entries, draw.firstNumber].every((value) => Number.isSafeInteger(value));
  if (!isComplete) throw new UncheckableError('a field of the published draw is missing or malformed');
  return draw as unknown as PublishedDraw & { entriesUrl?: string };
}

function parseJson(text: string): Record<string, unknown> {
  try {
    return Object(JSON.parse(text)) as Record<string, unknown>;
  } catch {
    throw new UncheckableError('the published draw is not JSON');
  }
}
