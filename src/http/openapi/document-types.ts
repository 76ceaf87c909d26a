/** The parts of an OpenAPI document that are written here. The framework makes the rest of it. */

export interface Schema {
  [keyword: string]: unknown;
  $ref?: string;
  title?: string;
  type?: string | readonly string[];
  properties?: Record<string, Schema>;
  required?: readonly string[];
  items?: Schema;
  anyOf?: Schema[];
}

export interface Media {
  schema?: Schema;
  example?: unknown;
  examples?: object;
}

export interface Response {
  $ref?: string;
  description?: string;
  content?: Record<string, Media>;
}

export interface Parameter {
  name: string;
  in: string;
  schema?: Schema;
  example?: unknown;
}

export interface Operation {
  operationId?: string;
  tags?: string[];
  parameters?: Parameter[];
  requestBody?: { required?: boolean; content: Record<string, Media> };
  responses: Record<string, Response>;
  [extension: `x-${string}`]: unknown;
}

export interface ApiDocument {
  paths: Record<string, Record<string, Operation>>;
  components: {
    schemas: Record<string, Schema>;
    responses?: Record<string, object>;
    examples?: Record<string, object>;
    securitySchemes?: object;
  };
}

export function operationsOf({ paths }: ApiDocument): Operation[] {
  return Object.values(paths).flatMap((methods) => Object.values(methods));
}
