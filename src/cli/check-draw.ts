/** `fairline verify-draw`: reads what is published of a draw, from a server or from files, and says whether it is right. */
import { readFile } from 'node:fs/promises';
import { parseArgs } from 'node:util';
import { type PublishedDraw, verifyDraw } from '../line/draw/verify-draw.ts';

export const VERIFY_DRAW_USAGE = `Usage: fairline verify-draw <url of the site> <event> [options]
       fairline verify-draw <draw.json> <entries.txt> [options]

  --ticket T       also tell which number the ticket T drew
  --number N       that it must have drawn this number
  --commitment C   what you noted down before the draw: it must still be the same

Exit code 0: everything is right; 1: something is not; 2: it could not be checked.
`;

/** Why it could not be checked, in a sentence. */
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
    if (values.ticket !== undefined) checks.push(checkTicket(values.ticket, values.number, numberOf));
    for (const { what, ok, found } of checks) (ok ? print : fail)(ok ? `ok      ${what}` : `WRONG   ${what}: ${found}`);
    const isRight = checks.every(({ ok }) => ok);
    (isRight ? print : fail)(isRight ? `The draw is right: ${draw.entries} took part.` : 'The draw is NOT right.');
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
    const options = { ticket: text, number: text, commitment: text };
    const parsed = parseArgs({ args, allowPositionals: true, options });
    if (parsed.positionals.length === 2) return parsed;
  } catch (error) {
    throw new UncheckableError(`${(error as Error).message}\n\n${VERIFY_DRAW_USAGE}`);
  }
  throw new UncheckableError(`it takes two arguments\n\n${VERIFY_DRAW_USAGE}`);
}

function checkTicket(given: string, number: string | undefined, numberOf: (ticket: string) => number | undefined) {
  const ticket = given.trim().toLowerCase();
  const drawn = numberOf(ticket);
  if (drawn === undefined) return { what: `ticket ${ticket} took part`, ok: false, found: 'it is not on the list' };
  if (number === undefined) return { what: `ticket ${ticket} drew number ${drawn}`, ok: true };
  return { what: `ticket ${ticket} drew number ${number}`, ok: String(drawn) === number, found: `it drew ${drawn}` };
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
  if (!response.ok) throw new UncheckableError(`${url.href} answers ${response.status}: ${text.slice(0, 300)}`);
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
    throw new UncheckableError(`the draw is not done yet; its commitment is ${draw.commitment}`);
  }
  const isHash = (value: unknown) => typeof value === 'string' && /^[0-9a-f]{64}$/.test(value);
  const isComplete =
    [draw.commitment, draw.seed, draw.listHash].every(isHash) &&
    [draw.entries, draw.firstNumber].every((value) => Number.isSafeInteger(value));
  if (!isComplete) throw new UncheckableError('what is published of the draw lacks a field, or one is malformed');
  return draw as unknown as PublishedDraw & { entriesUrl?: string };
}

function parseJson(text: string): Record<string, unknown> {
  try {
    return Object(JSON.parse(text)) as Record<string, unknown>;
  } catch {
    throw new UncheckableError('what is published of the draw is not JSON');
  }
}
