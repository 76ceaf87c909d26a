/** `fairline audit`. */
import { existsSync } from 'node:fs';
import type { AuditSource } from '../compose/open-audit.ts';
import { readConfig } from '../config/read-config.ts';
import type { ChainHead, ChainReport } from '../identity/audit-chain.ts';
import type { ChainedEntry } from '../identity/audit-entries.ts';
import { OptionsError, option, readOptions } from '../platform/settings/options.ts';
import { integer, text } from '../platform/settings/settings.ts';
import type { Command } from './command.ts';

const options = {
  anchor: option(
    'NUMBER:HASH',
    text({
      default: undefined,
      pattern: /^[1-9]\d{0,14}:[0-9a-f]{64}$/,
      allowed: 'the head as the log or an earlier verify printed it',
      about: 'verify: a head stored elsewhere. Without it, missing entries at the end cannot be noticed.',
    }),
  ),
  'from-file': option(
    'FILE',
    text({
      default: undefined,
      pattern: /^.+$/,
      allowed: 'a file written by fairline audit list, or an audit.jsonl',
      about: 'Reads this file instead of the trail of this instance.',
    }),
  ),
  limit: option(
    'N',
    integer({ default: 50, min: 0, max: 1_000_000_000, about: 'list: the last N entries; 0 lists all of them.' }),
  ),
  event: option(
    'ID',
    text({
      default: undefined,
      pattern: /^[A-Za-z0-9_-]{1,64}$/,
      allowed: 'an event id',
      about: 'list: only entries of this event.',
    }),
  ),
};

export const audit: Command = {
  summary: 'verify or list the audit trail',
  usage: ['audit verify [options]', 'audit list [options]'],
  about: `Reads the audit trail with the same settings as fairline start: from the database, or from DATA_DIR without
one. It changes nothing. verify checks that each entry is chained to the one before and prints the head
(number and hash of the last entry); store it elsewhere and give it as --anchor next time
(docs/guides/admin.md). list prints entries as JSON lines, oldest first; with --limit 0 it is an export that
verify --from-file accepts.

The embedded database is open in one process only: stop the instance first, or look at /admin.

Exit code: 0 the chain holds, 1 it is broken.`,
  options,
  examples: [
    'fairline audit verify',
    'fairline audit list --limit 0 > audit-export.jsonl',
    'fairline audit verify --from-file audit-export.jsonl --anchor 1234:5f1c…',
  ],
  async run(args, { print, fail }) {
    const { values, words } = readOptions(options, args, { atMost: 1 });
    const [subcommand] = words;
    if (subcommand !== 'verify' && subcommand !== 'list') {
      const given = subcommand === undefined ? 'missing subcommand' : `unknown subcommand "${subcommand}"`;
      throw new OptionsError(`${given}; expected: verify or list`);
    }
    // Loads the drivers, so not at the top: `fairline help` must stay fast.
    const { withAuditSources, toFileSource } = await import('../compose/open-audit.ts');
    const file = values['from-file'];
    if (file !== undefined && !existsSync(file)) throw new OptionsError(`--from-file ${file}: no such file`);
    const work = async (sources: AuditSource[]) => {
      if (subcommand === 'verify') return verify(sources, toAnchor(values.anchor), print);
      const lines = await latestLines(sources, { limit: values.limit, eventId: values.event }, fail);
      for (const line of lines) print(line);
      return 0;
    };
    return file === undefined ? withAuditSources(readConfig(), work) : work([toFileSource(file)]);
  },
};

/** The anchor belongs to the first source. */
async function verify(sources: AuditSource[], anchor: ChainHead | undefined, print: (text: string) => void) {
  if (sources.length === 0) {
    print('There is no audit trail yet.');
    return anchor === undefined ? 0 : 1;
  }
  let broken = 0;
  for (const [index, source] of sources.entries()) {
    const report = await source.checkChain(index === 0 ? anchor : undefined);
    print(`${source.name}: ${describe(report)}`);
    if (report.outcome === 'broken') broken += 1;
  }
  return broken === 0 ? 0 : 1;
}

function describe(report: ChainReport): string {
  if (report.outcome === 'broken') {
    return `BROKEN at entry ${report.at}: ${report.problem}. Entries before it: ${report.entries}, unchanged.`;
  }
  if (report.head === undefined) return 'no entries yet.';
  return `the chain holds, ${report.entries} entries. Head: ${report.head.seq}:${report.head.hash}`;
}

function toAnchor(anchor: string | undefined): ChainHead | undefined {
  if (anchor === undefined) return undefined;
  const [seq, hash] = anchor.split(':');
  return { seq: Number(seq), hash: hash! };
}

/** Of the first source, which is one chain. */
async function latestLines(
  [source, ...others]: readonly AuditSource[],
  { limit, eventId }: { limit: number; eventId: string | undefined },
  note: (text: string) => void,
): Promise<string[]> {
  let lines: string[] = [];
  if (source === undefined) return lines;
  const isWanted = (entry: ChainedEntry) => eventId === undefined || entry.eventId === eventId;
  for await (const entry of source.readAll()) {
    if (isWanted(entry)) lines.push(JSON.stringify(entry));
    // Keeps no more than twice the entries that are wanted.
    if (limit > 0 && lines.length >= 2 * limit) lines = lines.slice(-limit);
  }
  for (const { name } of others) note(`More entries: fairline audit list --from-file ${name}`);
  return limit > 0 ? lines.slice(-limit) : lines;
}
