/** The OpenAPI document of an instance with all features, as a test reads it. */
import type { FastifyInstance } from 'fastify';

export interface Described {
  method: string;
  path: string;
  operationId: string;
  summary: string;
  tags: string[];
  security: Record<string, string[]>[];
  parameters?: { name: string; in: string; required?: boolean; example?: unknown }[];
  requestBody?: { required: boolean; content: Record<string, { example?: unknown }> };
  responses: Record<string, { $ref?: string; description?: string; content?: Record<string, unknown> }>;
}

export interface Document {
  info: { description: string };
  tags: { name: string }[];
  paths: Record<string, Record<string, Omit<Described, 'method' | 'path'>>>;
  components: {
    schemas: Record<string, { enum?: string[] }>;
    responses: Record<string, { description: string; content: Record<string, { examples: Record<string, unknown> }> }>;
    examples: Record<string, { value: unknown }>;
  };
}

export async function readDocument(app: FastifyInstance): Promise<Document> {
  return (await app.inject({ method: 'GET', url: '/openapi.json' })).json();
}

export function operationsOf({ paths }: Document): Described[] {
  return Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({ method: method.toUpperCase(), path, ...operation })),
  );
}

/** The error codes of an operation, by status. */
export function errorsOf({ responses }: Described, { components }: Document): Record<string, string[]> {
  return Object.fromEntries(
    Object.entries(responses)
      .filter(([status]) => Number(status) >= 400)
      .map(([status, response]) => {
        const { description = '' } =
          response.$ref === undefined ? response : components.responses[response.$ref.split('/').pop()!]!;
        return [
          status,
          description.match(/\b[A-Z]+(_[A-Z]+)*\b/g)?.filter((word) => word in errorNames(components)) ?? [],
        ];
      }),
  );
}

function errorNames({ schemas }: Document['components']): Record<string, true> {
  return Object.fromEntries((schemas.ErrorCode?.enum ?? []).map((code) => [code, true]));
}
