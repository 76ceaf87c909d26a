/** The OpenAPI document of the application, from what its routes declare. */
import { STATUS_CODES } from 'node:http';
import swagger from '@fastify/swagger';
import type { FastifyInstance } from 'fastify';
import { type IdentityCookies, toCredentials, toSecuritySchemes } from './callers.ts';
import type { ApiDocument, Operation, Response } from './document-types.ts';
import { operationsOf } from './document-types.ts';
import { errorExamples, errorSchemas, toErrorResponses } from './error-responses.ts';
import { addExamples } from './examples.ts';
import { nameSchemas } from './named-schemas.ts';
import { errorsOfAnyRequest, errorsOfRoute } from './route-errors.ts';
import { tags } from './tags.ts';

export interface DocumentOptions {
  version: string;
  cookies: IdentityCookies;
}

/** Carries the errors of a route from its own description to the whole document. */
const ERRORS = 'x-error-codes';

/** Call it before any route is registered. */
export async function describeRoutes(app: FastifyInstance, { version, cookies }: DocumentOptions): Promise<void> {
  await app.register(swagger, {
    openapi: {
      openapi: '3.1.0',
      info: {
        title: 'Fairline',
        version,
        description: DESCRIPTION,
        license: { name: 'Apache-2.0', url: 'https://www.apache.org/licenses/LICENSE-2.0' },
      },
      servers: [{ url: '/' }],
      tags,
      components: { securitySchemes: toSecuritySchemes(cookies) },
    },
    transform: ({ schema, url, route }) => {
      // One operation per endpoint: a generated client would have each of them twice.
      if (isAlias(url) || schema?.hide) return { schema: { hide: true }, url };
      const method = String(route.method);
      if (schema?.operationId === undefined) throw new Error(`${method} ${url}: operationId is missing`);
      const codes = errorsOfRoute({ method, url, schema, config: route.config });
      return { schema: { ...schema, security: toCredentials(schema.security ?? []), [ERRORS]: codes }, url };
    },
    transformObject: (given) => complete((given as unknown as { openapiObject: ApiDocument }).openapiObject) as never,
  });
}

/** Every endpoint under /api is also under /api/v1, and those of tier 1 also under /vwr-api. */
export function isAlias(url: string): boolean {
  return url.startsWith('/api/v1/') || url.startsWith('/vwr-api/');
}

const DESCRIPTION = `Virtual waiting room and ticket on-sale.

Every endpoint under \`/api/\` is also available under \`/api/v1/\`, and those under \`/vwr/\` also under \`/vwr-api/vwr/\`. They are
described once.

Errors are JSON, \`{"error": {"code", "message", "trace_id"}, "message"}\`; the code says what to do. Besides those of each operation, any
request can get ${errorsOfAnyRequest.map((code) => `\`${code}\``).join(', ')}. With \`METHOD_NOT_ALLOWED\` (405), the header \`Allow\` lists the methods
of the address.`;

function complete(document: ApiDocument): ApiDocument {
  Object.assign(document.components.schemas, errorSchemas);
  document.components.examples = errorExamples;
  document.components.responses = {};
  for (const operation of operationsOf(document)) {
    describeAnswers(operation);
    allowMissingBody(operation);
    addErrors(operation, document.components.responses);
  }
  nameSchemas(document);
  addExamples(document);
  document.components.examples = onlyUsed(document, errorExamples);
  return document;
}

function describeAnswers({ responses }: Operation): void {
  for (const [status, response] of Object.entries(responses)) {
    if (response.description === 'Default Response') response.description = STATUS_CODES[status] ?? 'Response';
  }
}

/** The framework takes a missing body for null, and describes every body as required. */
function allowMissingBody({ requestBody }: Operation): void {
  const schemas = Object.values(requestBody?.content ?? {}).map(({ schema }) => schema);
  const isOptional = schemas.some((schema) => schema?.anyOf?.some(({ type }) => type === 'null'));
  if (requestBody !== undefined) requestBody.required = !isOptional;
}

function addErrors(operation: Operation, shared: Record<string, object>): void {
  const { responses, tags = [] } = operation;
  const isPage = tags.includes('pages');
  for (const { name, status, response } of toErrorResponses(operation[ERRORS] as never)) {
    const own = responses[status];
    if (own !== undefined) {
      own.description = response.description;
      const media = own.content?.['application/json'];
      if (media !== undefined) media.examples = response.content['application/json'].examples;
      continue;
    }
    const key = isPage ? `${name}.page` : name;
    shared[key] ??= isPage ? { ...response, content: { ...response.content, ...PAGE } } : response;
    responses[status] = { $ref: `#/components/responses/${key}` };
  }
  delete operation[ERRORS];
}

/** Pages show some errors to their visitors. */
const PAGE: Response['content'] = { 'text/html': { schema: { type: 'string' } } };

function onlyUsed({ paths, components }: ApiDocument, examples: Record<string, object>): Record<string, object> {
  const text = JSON.stringify([paths, components.responses]);
  return Object.fromEntries(
    Object.entries(examples).filter(([code]) => text.includes(`#/components/examples/${code}"`)),
  );
}
