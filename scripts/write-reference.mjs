/**
 * Writes what is made from the code: the pages of settings, errors and addresses, and tables within other pages. With --check it
 * writes nothing and fails if a page is not what the code says.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { apiPage, describeApi } from './api-page.mjs';
import { filesBelow, root } from './set-up.mjs';

const { settings } = await import('../dist/src/config/read-config.js');
const { errorKinds } = await import('../dist/src/http/errors.js');
const { RoomSettings } = await import('../dist/src/line/model/room-settings.js');

const { scaleTable } = await import('../dist/src/report/scale-table.js');

const generated = '<!-- Made from the code by `npm run docs`; edits here are lost. -->';
const pages = {
  'docs/reference/api.md': apiPage(await describeApi(), generated, table),
  'docs/reference/configuration.md': configurationPage(),
  'docs/reference/errors.md': errorsPage(),
  'README.md': withTable('README.md', 'bench', benchTable()),
  'docs/explanation/scale.md': withTable('docs/explanation/scale.md', 'scale', scaleTable()),
};

if (process.argv.includes('--check')) {
  const stale = Object.entries(pages).filter(([path, text]) => read(path) !== text);
  for (const [path] of stale) console.error(`${path} is not what the code says; write it anew with: npm run docs`);
  process.exitCode = stale.length > 0 ? 1 : 0;
} else {
  for (const [path, text] of Object.entries(pages)) writeFileSync(join(root, path), text);
}

function configurationPage() {
  const rows = Object.entries(settings).map(([name, setting]) => [
    `\`${name}\``,
    setting.type,
    setting.defaultText ?? defaultOf(setting),
    setting.allowed,
    setting.about,
  ]);
  const rooms = Object.entries(RoomSettings.properties).map(([name, schema]) => [
    `\`${name}\``,
    allowedBy(schema),
    schema.description ?? 'shown to those who wait: `{"ko": …, "en": …}`, up to 500 characters each',
  ]);
  return `# Configuration

${generated}

Settings are environment variables. A value that is not allowed stops the start with a message that names the setting,
the value and what is allowed.

${table(['setting', 'type', 'default', 'allowed', 'meaning'], rows)}

## Settings of a room

Set for each room with \`PUT /api/admin/rooms/{eventId}\`, any of them at a time, effective at once. \`null\` takes a
setting back to its default.

${table(['field', 'allowed', 'meaning'], rooms)}
`;
}

function errorsPage() {
  const rows = Object.entries(errorKinds).map(([code, { status, message, retryable }]) => [
    `\`${code}\``,
    String(status),
    retryable ? 'yes' : 'no',
    message,
  ]);
  return `# Errors

${generated}

Every error is told as \`{"error": {"code", "message", "trace_id"}}\`. \`fields\` lists what is wrong with the input,
field by field; \`redirectTo\`, beside \`error\`, is where a person should go instead. Where trying again can help, a
\`Retry-After\` header says when. The trace id is also in the \`x-request-id\` header and in the logs.

${table(['code', 'status', 'try again?', 'message'], rows)}
`;
}

/** What was measured beside a floor or a naive way, of the results that are kept. */
function benchTable() {
  const results = filesBelow('bench/results').map((path) => JSON.parse(read(path)));
  const rows = results
    .flatMap((result) => result.rows)
    .filter(({ floor, naive }) => floor !== undefined || naive !== undefined);
  const figure = (value, unit) => (value === undefined ? '–' : `${value.toLocaleString('en')} ${unit}`);
  const ratio = (value) => (value === undefined ? '–' : value.toFixed(2));
  return {
    head: ['what', 'ours', 'naive way', 'floor', 'ours : naive', 'ours : floor'],
    rows: rows.map(({ what, unit, ours, naive, floor, toNaive, toFloor }) => [
      what,
      ...[ours, naive, floor].map((value) => figure(value, unit)),
      ...[toNaive, toFloor].map(ratio),
    ]),
  };
}

/** A page written by hand, with the table between its two comments made anew. */
function withTable(path, name, { head, rows }) {
  const [begin, end] = [`<!-- table ${name}: made by \`npm run docs\` -->`, `<!-- end of table ${name} -->`];
  const [before, rest] = (read(path) ?? '').split(begin);
  const after = rest?.split(end)[1];
  if (after === undefined) throw new Error(`${path} has no place for the table ${name}: ${begin} … ${end}`);
  return `${before}${begin}\n${table(head, rows)}\n${end}${after}`;
}

function defaultOf({ default: value }) {
  if (value === undefined) return 'none';
  if (typeof value === 'boolean') return value ? 'on' : 'off';
  return Array.isArray(value) ? value.join(',') : String(value);
}

function allowedBy(schema) {
  if (schema.anyOf) return schema.anyOf.map((option) => `\`${option.const}\``).join(', ');
  if (schema.format === 'date-time') return 'a time, ISO 8601';
  if (schema.type === 'boolean') return 'true, false';
  if (schema.type === 'object') return `an object of ${Object.keys(schema.properties).join(', ')}`;
  const low = schema.minimum ?? `above ${schema.exclusiveMinimum}`;
  return `${schema.type === 'integer' ? 'a whole number, ' : 'a number, '}${low} to ${schema.maximum}`;
}

function table(head, rows) {
  const line = (cells) => `| ${cells.map((cell) => cell.replaceAll('|', '\\|')).join(' | ')} |`;
  return [line(head), line(head.map(() => '---')), ...rows.map(line)].join('\n');
}

function read(path) {
  try {
    return readFileSync(join(root, path), 'utf8');
  } catch {
    return undefined;
  }
}
