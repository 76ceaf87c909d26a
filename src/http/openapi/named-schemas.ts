/**
 * Moves schemas to the components of the document, so that generated code has one type for each, with a name. A schema is
 * named by its title, else by the operation that uses it first.
 */
import type { ApiDocument, Operation, Schema } from './document-types.ts';
import { operationsOf } from './document-types.ts';

export function nameSchemas(document: ApiDocument): void {
  const names = new Names(document.components.schemas);
  for (const operation of operationsOf(document)) nameSchemasOf(operation, names);
}

function nameSchemasOf({ operationId, requestBody, responses }: Operation, names: Names): void {
  if (operationId === undefined) return;
  const base = operationId.charAt(0).toUpperCase() + operationId.slice(1);
  const name = (content: Record<string, { schema?: Schema }> | undefined, ending: string) => {
    for (const media of Object.values(content ?? {})) {
      if (media.schema !== undefined) media.schema = names.nameTop(media.schema, `${base}${ending}`);
    }
  };
  name(requestBody?.content, 'Body');
  for (const { content } of Object.values(responses)) name(content, 'Answer');
}

class Names {
  readonly #schemas: Record<string, Schema>;
  /** Untitled schemas by their text. */
  readonly #known = new Map<string, string>();

  constructor(schemas: Record<string, Schema>) {
    this.#schemas = schemas;
  }

  /** A list keeps its place; what it lists gets the name. A body that may be missing, too. */
  nameTop(schema: Schema, name: string): Schema {
    if (schema.type === 'array' && schema.items !== undefined) {
      return { ...schema, items: this.nameTop(schema.items, name.replace(/Answer$/, 'Item')) };
    }
    if (schema.anyOf?.some(({ type }) => type === 'null')) {
      return { ...schema, anyOf: schema.anyOf.map((one) => this.nameTop(one, name)) };
    }
    const inner = this.#nameTitled(schema);
    return inner.type === 'object' && inner.$ref === undefined ? this.#refer(inner, name) : inner;
  }

  #nameTitled(schema: Schema): Schema {
    const inner = mapSchemas(schema, (part) => this.#nameTitled(part));
    return inner.type === 'object' && typeof inner.title === 'string' ? this.#refer(inner, inner.title) : inner;
  }

  #refer(schema: Schema, wanted: string): Schema {
    const text = JSON.stringify(schema);
    const known = this.#known.get(text);
    const name = known ?? wanted;
    if (known === undefined) {
      if (this.#schemas[name] !== undefined) throw new Error(`OpenAPI: two schemas have the title ${name}`);
      this.#known.set(text, name);
      this.#schemas[name] = schema;
    }
    return { $ref: `#/components/schemas/${name}` };
  }
}

/** A copy with each schema inside it replaced. */
function mapSchemas(schema: Schema, map: (part: Schema) => Schema): Schema {
  const copy = { ...schema };
  if (schema.properties !== undefined) {
    copy.properties = Object.fromEntries(Object.entries(schema.properties).map(([name, part]) => [name, map(part)]));
  }
  if (schema.items !== undefined) copy.items = map(schema.items);
  if (schema.anyOf !== undefined) copy.anyOf = schema.anyOf.map(map);
  return copy;
}
