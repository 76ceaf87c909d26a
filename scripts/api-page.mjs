/** docs/reference/api.md, generated from the OpenAPI description that the program serves at /openapi.json. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pino } from 'pino';

/** The description of an embedded instance with all features on. */
export async function describeApi(version = '') {
  const { readConfig } = await import('../dist/src/config/read-config.js');
  const { createContext } = await import('../dist/src/compose/context.js');
  const { buildApp } = await import('../dist/src/compose/app.js');
  const dataDir = mkdtempSync(join(tmpdir(), 'fairline-api-'));
  const config = readConfig({ DATA_DIR: dataDir, SHOP: 'on' });
  const log = pino({ level: 'silent' });
  const context = await createContext({ config, version, log, stopping: new AbortController().signal });
  const app = await buildApp(context);
  await app.ready();
  const description = app.swagger();
  await app.close();
  await context.close();
  rmSync(dataDir, { recursive: true, force: true });
  return description;
}

/** Errors that follow from the kind of an endpoint; the page names them once. */
const usualErrors = [
  ...['BAD_REQUEST', 'INVALID_INPUT', 'CROSS_SITE', 'NOT_FOUND', 'BODY_TOO_LARGE', 'URI_TOO_LONG'],
  ...['UNSUPPORTED_MEDIA_TYPE', 'INTERNAL', 'STORE_UNAVAILABLE', 'STOPPING'],
];

/** `table(head, rows)` renders a Markdown table. */
export function apiPage(description, generated, table) {
  const operations = Object.entries(withoutReferences(description.paths, description)).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({ title: `${method.toUpperCase()} ${path}`, operation })),
  );
  const tags = [...new Set(operations.map(({ operation }) => operation.tags?.[0] ?? 'others'))];
  const shown = new Map();
  const sections = tags.map((tag) => {
    const own = operations.filter(({ operation }) => (operation.tags?.[0] ?? 'others') === tag);
    return `## ${capital(tag)}\n\n${own.map((one) => describeOperation(one, shown, table)).join('\n')}`;
  });
  return `# API

${generated}

All endpoints, generated from the OpenAPI description that the program serves at \`GET /openapi.json\`. [Endpoints](endpoints.md) is a
shorter overview.

- Everything under \`/api/\` is also available under \`/api/v1/\`, and \`/vwr/…\` of tier 1 under \`/vwr-api/vwr/…\`.
- Visitors are identified by a bearer token, the session cookie or a guest cookie ([accounts](../guides/accounts.md)). Operator endpoints need
  \`Authorization: Bearer\` with \`ADMIN_TOKEN\`, or a session of the [operator page](../guides/admin.md).
- All [errors](errors.md) have one format. An invalid or unknown field is a 400 that names it. Each endpoint lists its own errors. Besides
  those, it can give those of its kind: ${usualErrors.map((code) => `\`${code}\``).join(', ')}. A method that
  an address does not have is \`METHOD_NOT_ALLOWED\`, with the methods that it has in \`Allow\`.
- A name such as \`joinQueue\` is the \`operationId\`: generated clients have a function of this name. It does not change.
- Times are ISO 8601 unless the name says seconds or milliseconds. Fields marked * are required or always present.

${sections.join('\n')}`;
}

function describeOperation({ title, operation }, shown, table) {
  const { operationId, summary, description, security, responses } = operation;
  const errors = errorsOf(responses);
  const facts = [
    `${sentence(summary)}${sentence(description, ' ')}`,
    `\`${operationId}\`. For ${callersOf(security)}.`,
    ...(errors.length === 0 ? [] : [`Errors: ${errors.join(', ')}.`]),
  ];
  const parts = [`### ${title}\n`, `${facts.join('\n\n')}\n`];
  const parameters = (operation.parameters ?? []).map(({ name, in: place, required, description, schema }) => [
    `\`${name}\`${required ? ' *' : ''}`,
    place,
    allowedBy(schema),
    description ?? '',
  ]);
  if (parameters.length > 0) parts.push(`${table(['parameter', 'in', 'allowed', 'meaning'], parameters)}\n`);
  const body = operation.requestBody?.content?.['application/json']?.schema;
  if (body !== undefined) parts.push(describeSchema('Body', `the body of ${title}`, body, shown, table));
  for (const [text, statuses] of answersOf(operation)) {
    parts.push(describeSchema(`Response ${statuses.join(', ')}`, title, JSON.parse(text), shown, table));
  }
  return parts.join('\n');
}

/** Who may call, in any one of several ways. */
function callersOf(security) {
  const ways = security.map((names) =>
    Object.keys(names)
      .map((name) => `\`${name}\``)
      .join(' with '),
  );
  return ways.length === 0 ? 'everyone' : ways.map((way) => way || 'everyone').join(', ');
}

function errorsOf(responses) {
  return Object.entries(responses)
    .filter(([status]) => Number(status) >= 400)
    .flatMap(([, { content }]) => Object.keys(content?.['application/json']?.examples ?? {}))
    .filter((code) => !usualErrors.includes(code))
    .map((code) => `\`${code}\``);
}

/** A copy with what is referred to in the place of each reference. */
function withoutReferences(part, document) {
  if (Array.isArray(part)) return part.map((one) => withoutReferences(one, document));
  if (typeof part !== 'object' || part === null) return part;
  if (typeof part.$ref === 'string') {
    const path = part.$ref.slice(2).split('/');
    return withoutReferences(
      path.reduce((found, name) => found[name], document),
      document,
    );
  }
  return Object.fromEntries(Object.entries(part).map(([name, one]) => [name, withoutReferences(one, document)]));
}

/** Response schemas as text, each with the status codes that use it. Errors have one schema for all. */
function answersOf({ responses = {} }) {
  const answers = new Map();
  for (const [status, { content }] of Object.entries(responses)) {
    const { schema, examples } = content?.['application/json'] ?? {};
    const isPlainError = examples !== undefined && schema?.properties?.challenge !== undefined;
    if (schema === undefined || isPlainError) continue;
    const text = JSON.stringify(schema);
    answers.set(text, [...(answers.get(text) ?? []), status]);
  }
  return answers;
}

/** Lists all fields of a schema the first time, and refers to that place afterwards. */
function describeSchema(what, where, schema, shown, table) {
  const rows = fieldsOf(schema);
  if (rows.length === 0) return `${what}: ${allowedBy(schema)}\n`;
  const same = JSON.stringify(rows);
  const before = shown.get(same);
  if (before !== undefined) return `${what}: same as ${before}\n`;
  shown.set(same, `\`${where}\``);
  return `${what}${schema.type === 'array' ? ', a list' : ''}:\n\n${table(['field', 'allowed', 'meaning'], rows)}\n`;
}

/** `eventInfo.state`, `seats[].price`. */
function fieldsOf(schema, prefix = '') {
  const plain = withoutNull(schema);
  if (plain.type === 'array') return fieldsOf(plain.items ?? {}, prefix === '' ? '' : `${prefix.slice(0, -1)}[].`);
  const required = new Set(plain.required ?? []);
  return Object.entries(plain.properties ?? {}).flatMap(([name, field]) => [
    [
      `\`${prefix}${name}\`${required.has(name) ? ' *' : ''}`,
      allowedBy(field),
      field.description ?? withoutNull(field).description ?? '',
    ],
    ...fieldsOf(field, `${prefix}${name}.`),
  ]);
}

function withoutNull(schema) {
  const options = (schema.anyOf ?? []).filter(({ type }) => type !== 'null');
  return options.length === 1 ? options[0] : schema;
}

function allowedBy(schema) {
  if (schema.anyOf !== undefined) return [...new Set(schema.anyOf.map(allowedBy))].join(', ');
  if (schema.const !== undefined) return `\`${schema.const}\``;
  if (schema.enum !== undefined) return schema.enum.map((value) => `\`${value}\``).join(', ');
  if (Array.isArray(schema.type)) return schema.type.map((type) => allowedBy({ ...schema, type })).join(', ');
  if (schema.type === 'array') return `a list${schema.maxItems === undefined ? '' : `, at most ${schema.maxItems}`}`;
  if (schema.type === 'object') return 'an object';
  if (schema.type === 'null') return 'null';
  if (schema.type === 'boolean') return 'true, false';
  if (schema.type === 'integer' || schema.type === 'number') return numberText(schema);
  if (schema.type === 'string') return textText(schema);
  return 'JSON';
}

function numberText({ type, minimum, exclusiveMinimum, maximum }) {
  const kind = type === 'integer' ? 'an integer' : 'a number';
  const low = minimum ?? (exclusiveMinimum === undefined ? undefined : `above ${exclusiveMinimum}`);
  if (low === undefined && maximum === undefined) return kind;
  if (maximum === undefined) return `${kind}, ${low} or more`;
  return `${kind}, ${low ?? 'up'} to ${maximum}`;
}

function textText({ format, minLength, maxLength }) {
  if (format === 'date-time') return 'a time';
  if (maxLength === undefined) return 'text';
  return `text, ${minLength === undefined ? '' : `${minLength} to `}${maxLength} characters`;
}

function sentence(text, before = '') {
  return text === undefined || text === '' ? '' : `${before}${text.replace(/\.$/, '')}.`;
}

const capital = (text) => text[0].toUpperCase() + text.slice(1);
