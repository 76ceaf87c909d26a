/**
 * The types of `fairline/client` and its table of operations, from the OpenAPI document. Of our own because the usual
 * generator needs the compiler API of TypeScript 5, which TypeScript 7 does not have. Pure: document in, text out.
 */

/** Operations with a JSON or text response, or with none. Pages and streams are not for a client to call. */
export function operationsOf(description) {
  return Object.entries(description.paths)
    .flatMap(([path, methods]) =>
      Object.entries(methods).map(([method, operation]) => ({ path, method: method.toUpperCase(), ...operation })),
    )
    .filter(isCallable)
    .map((operation) => {
      const { operationId, method, path } = operation;
      if (!/^[a-z]\w*$/i.test(operationId ?? '')) throw new Error(`${method} ${path} has no operationId`);
      requireDistinctNames(operation);
      return operation;
    });
}

/** `{joinQueue: {method, path, headers?}}`. */
export function toRoutes(operations) {
  return Object.fromEntries(
    operations.map(({ operationId, method, path, parameters = [] }) => {
      const headers = parameters.filter((parameter) => parameter.in === 'header').map(({ name }) => name);
      return [operationId, { method, path, ...(headers.length > 0 && { headers }) }];
    }),
  );
}

/** The text of operations.d.ts. */
export function toDeclarations(operations, { components = {} }) {
  const names = new Map();
  for (const [name, schema] of Object.entries(components.schemas ?? {})) nameType(names, name, schema);
  const methods = operations.map((operation) => toMethod(operation, names));
  const poll = operations.find(({ method, path }) => method === 'POST' && path === '/api/queue/check/{eventId}');
  if (poll === undefined) throw new Error('The document has no POST /api/queue/check/{eventId}');
  const types = [...names.values()].map(({ name, text }) => `export type ${name} = ${text};\n`);
  return `/** Made from the OpenAPI document by scripts/build-client.mjs. */
import type { CallOptions } from '../src/client/create-client.js';

export interface Operations ${block(methods)}

/** The response of a poll. */
export type PollResponse = ${answerOf(poll, names)};

${types.join('\n')}`;
}

function isCallable({ path, responses }) {
  const contents = successes(responses).flatMap(({ content }) => Object.keys(content ?? {}));
  if (contents.length > 0) return contents.some((type) => type === 'application/json' || type === 'text/plain');
  return /^\/(api|gate)\//.test(path);
}

function requireDistinctNames({ operationId, parameters = [] }) {
  const names = inputsOf(parameters).map(({ name }) => name);
  const twice = names.find((name, index) => name === 'body' || names.indexOf(name) !== index);
  if (twice !== undefined) throw new Error(`${operationId} has two inputs named ${twice}`);
}

function toMethod(operation, names) {
  const { operationId, method, path, summary, parameters = [] } = operation;
  const about = [summary, `\`${method} ${path}\``].filter((part) => part !== undefined).join('. ');
  // A parameter without a type takes any text.
  const fields = inputsOf(parameters).map(({ schema, ...parameter }) =>
    toField({ ...parameter, schema: { type: 'string', ...schema }, isInput: true }, names),
  );
  const body = operation.requestBody;
  const schema = body?.content?.['application/json']?.schema;
  if (schema !== undefined)
    fields.push(toField({ name: 'body', required: body.required, schema, isInput: true }, names));
  const isOptional = !inputsOf(parameters).some(({ required }) => required) && !body?.required;
  const input = fields.length === 0 ? 'Record<string, never>' : block(fields);
  return `/** ${toComment(about)} */
${operationId}(input${isOptional ? '?' : ''}: ${input}, options?: CallOptions): Promise<${answerOf(operation, names)}>;`;
}

/** A cookie is kept by the client itself. */
function inputsOf(parameters) {
  return parameters.filter((parameter) => parameter.in !== 'cookie');
}

function answerOf({ responses }, names) {
  const texts = successes(responses).map(({ content }) => {
    const json = content?.['application/json']?.schema;
    if (json !== undefined) return toType(json, names);
    return content?.['text/plain'] === undefined ? 'undefined' : 'string';
  });
  return [...new Set(texts)].join(' | ') || 'undefined';
}

function successes(responses = {}) {
  return Object.entries(responses)
    .filter(([status]) => status.startsWith('2'))
    .map(([, response]) => response);
}

function toType(schema, names) {
  if (schema.$ref !== undefined) return typeName(schema.$ref.split('/').at(-1));
  if (schema.title !== undefined && schema.type === 'object') return nameType(names, schema.title, schema);
  return describe(schema, names);
}

/** Schemas of one title that differ get a number. */
function nameType(names, title, schema) {
  const text = describe(schema, names);
  for (let number = 1; ; number += 1) {
    const name = typeName(title) + (number === 1 ? '' : number);
    const known = names.get(name);
    if (known === undefined) names.set(name, { name, text });
    if (known === undefined || known.text === text) return name;
  }
}

function typeName(title) {
  return title
    .split(/[^A-Za-z0-9]+/)
    .map((word) => word.slice(0, 1).toUpperCase() + word.slice(1))
    .join('');
}

function describe(schema, names) {
  const { const: constant, enum: values, anyOf, oneOf, allOf, type } = schema;
  if (constant !== undefined) return JSON.stringify(constant);
  if (values !== undefined) return values.map((value) => JSON.stringify(value)).join(' | ');
  if (anyOf !== undefined || oneOf !== undefined) {
    return [...new Set((anyOf ?? oneOf).map((option) => toType(option, names)))].join(' | ');
  }
  if (allOf !== undefined) return allOf.map((part) => `(${toType(part, names)})`).join(' & ');
  if (Array.isArray(type)) return type.map((one) => describe({ ...schema, type: one }, names)).join(' | ');
  if (type === 'array') return `Array<${toType(schema.items ?? {}, names)}>`;
  if (type === 'object' || schema.properties !== undefined) return toObject(schema, names);
  const plain = { string: 'string', number: 'number', integer: 'number', boolean: 'boolean', null: 'null' };
  return plain[type] ?? 'unknown';
}

function toObject({ properties = {}, required = [], additionalProperties: others }, names) {
  const fields = Object.entries(properties).map(([name, schema]) =>
    toField({ name, schema, required: required.includes(name) }, names),
  );
  if (fields.length > 0) return block(fields);
  return `Record<string, ${typeof others === 'object' ? toType(others, names) : 'unknown'}>`;
}

function block(lines) {
  return `{\n${lines.join('\n')}`.replaceAll('\n', '\n  ').concat('\n}');
}

/** Input may be undefined: callers pass on what they do not have. */
function toField({ name, schema = {}, required = false, description = schema.description, isInput = false }, names) {
  const key = /^[A-Za-z_$][\w$]*$/.test(name) ? name : JSON.stringify(name);
  const comment = description === undefined ? '' : `/** ${toComment(description)} */\n`;
  const type = toType(schema, names);
  return `${comment}${key}${required ? '' : '?'}: ${type}${isInput && !required ? ' | undefined' : ''};`;
}

function toComment(text) {
  return text.replaceAll('*/', '* /').replaceAll('\n', ' ');
}
