/** Examples in the OpenAPI document: made from the schemas, with values that fields of a name usually have. */
import type { ApiDocument, Media, Operation, Schema } from './document-types.ts';
import { operationsOf } from './document-types.ts';
import { bodyExamples, valuesOfFields } from './example-values.ts';

const INSTANT = '2027-03-01T11:00:00.000Z';

export function addExamples(document: ApiDocument): void {
  const { schemas } = document.components;
  for (const operation of operationsOf(document)) addExamplesTo(operation, schemas);
}

function addExamplesTo(operation: Operation, schemas: Record<string, Schema>): void {
  const { operationId = '', parameters = [], requestBody, responses } = operation;
  for (const parameter of parameters) {
    const { name, schema } = parameter;
    if (schema?.type !== undefined || schema?.anyOf !== undefined) parameter.example = exampleOf(schema, schemas, name);
  }
  const body = requestBody?.content['application/json'];
  if (body !== undefined) body.example = bodyExamples[operationId] ?? exampleOfMedia(body, schemas);
  for (const { content } of Object.values(responses)) {
    const media = content?.['application/json'];
    if (media?.schema !== undefined && media.examples === undefined) media.example = exampleOfMedia(media, schemas);
  }
}

function exampleOfMedia({ schema }: Media, schemas: Record<string, Schema>): unknown {
  return exampleOf(schema ?? {}, schemas, '');
}

/** Only what is required: optional fields depend on each other. */
function exampleOf(schema: Schema, schemas: Record<string, Schema>, name: string): unknown {
  if (schema.$ref !== undefined) return exampleOf(schemas[schema.$ref.split('/').pop()!] ?? {}, schemas, name);
  if (schema.anyOf !== undefined) return exampleOf(schema.anyOf[0] ?? {}, schemas, name);
  if (Array.isArray(schema.enum)) return schema.enum[0];
  const type = Array.isArray(schema.type) ? schema.type[0] : schema.type;
  if (type === 'object') {
    const fields = Object.entries(schema.properties ?? {});
    const required = fields.filter(([key]) => schema.required?.includes(key));
    // Where any field will do: the first that has a usual value.
    if (required.length === 0 && schema.minProperties !== undefined) {
      required.push(...fields.filter(([key]) => valuesOfFields[key] !== undefined).slice(0, 1));
    }
    return Object.fromEntries(required.map(([key, part]) => [key, exampleOf(part, schemas, key)]));
  }
  if (type === 'array') return schema.items === undefined ? [] : [exampleOf(schema.items, schemas, name)];
  if (type === 'boolean') return true;
  if (type === 'integer' || type === 'number') return numberOf(schema, name);
  return type === 'null' ? null : textOf(schema, name);
}

function numberOf({ minimum, maximum }: Schema, name: string): number {
  const usual = valuesOfFields[name];
  const value = typeof usual === 'number' ? usual : 1;
  return Math.min(Math.max(value, Number(minimum ?? 0)), Number(maximum ?? value));
}

function textOf({ pattern, format, minLength }: Schema, name: string): string {
  if (format === 'date-time') return INSTANT;
  const fits = (text: unknown) => typeof text === 'string' && new RegExp(String(pattern ?? ''), 'u').test(text);
  const usual = [valuesOfFields[name]].flat().find(fits);
  if (typeof usual === 'string') return usual;
  if (/At$|^at$|^from$|^to$|^until$/.test(name)) return INSTANT;
  return 'text'.padEnd(Number(minLength ?? 0), 't');
}
