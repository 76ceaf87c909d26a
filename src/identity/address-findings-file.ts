/** What the address watch found, kept in DATA_DIR so that `fairline doctor` sees it. One entry per cause. */
import { readFile, rename, writeFile } from 'node:fs/promises';
import { isIP } from 'node:net';
import { join } from 'node:path';
import { type AddressFinding, addressCauses } from './address-watch.ts';

const FILE = 'address-findings.json';

/** Called at most once an hour per cause. */
export async function writeFinding(dataDir: string, finding: AddressFinding): Promise<void> {
  const others = (await readFindings(dataDir)).filter(({ cause }) => cause !== finding.cause);
  const unfinished = join(dataDir, `unfinished-${process.pid}-${FILE}`);
  await writeFile(unfinished, `${JSON.stringify([...others, finding])}\n`, { mode: 0o600 });
  await rename(unfinished, join(dataDir, FILE));
}

/** None if there is no such file or it cannot be read. */
export async function readFindings(dataDir: string): Promise<AddressFinding[]> {
  try {
    const read: unknown = JSON.parse(await readFile(join(dataDir, FILE), 'utf8'));
    return Array.isArray(read) ? read.filter(isFinding) : [];
  } catch {
    return [];
  }
}

function isFinding(value: unknown): value is AddressFinding {
  const { cause, address, trustProxy, at } = (value ?? {}) as Partial<AddressFinding>;
  const isKnown = (addressCauses as readonly unknown[]).includes(cause);
  return isKnown && isIP(String(address)) !== 0 && typeof trustProxy === 'string' && typeof at === 'number';
}
