/**
 * Compiles each JSON schema once per process, however often it is written. Compiling validators and serializers takes most
 * of the start time; many endpoints share a schema, and most are registered under two prefixes.
 */
import { AjvCompiler } from '@fastify/ajv-compiler';
import { SerializerSelector } from '@fastify/fast-json-stringify-compiler';
import type { FastifyServerOptions } from 'fastify';

type Compilers = NonNullable<NonNullable<FastifyServerOptions['schemaController']>['compilersFactory']>;
type BuildSerializer = NonNullable<Compilers['buildSerializer']>;
type BuildValidator = NonNullable<Compilers['buildValidator']>;

/** By the text of the schema: no schema refers to another, and all servers have the same options. */
function compileOnce<Route extends { schema?: unknown }, Compiled>(
  compile: (route: Route) => Compiled,
  compiled: Map<string, Compiled>,
): (route: Route) => Compiled {
  return (route) => {
    const text = JSON.stringify(route.schema);
    const known = compiled.get(text) ?? compile(route);
    compiled.set(text, known);
    return known;
  };
}

type CompileSerializer = ReturnType<BuildSerializer>;
type CompileValidator = (route: { schema?: unknown }) => unknown;

const serializers = new Map<string, ReturnType<CompileSerializer>>();
const validators = new Map<string, unknown>();
const buildWithAjv = AjvCompiler();

const buildSerializer: BuildSerializer = (shared, options) =>
  compileOnce(SerializerSelector()(shared, options) as CompileSerializer, serializers);

const buildValidator = ((...given: Parameters<typeof buildWithAjv>) =>
  compileOnce(buildWithAjv(...given) as CompileValidator, validators)) as BuildValidator;

/** Serializes responses of a schema that contains no references. */
export const serializerOf = (schema: object): ((answer: unknown) => string) => {
  const compile = buildSerializer({}, {} as never);
  return compile({ schema, method: 'GET', url: '', httpStatus: '200' } as never) as (answer: unknown) => string;
};

export const schemaCompilers: Compilers = { buildSerializer, buildValidator };
