/**
 * Compiles each JSON schema once per process. Compiling validators and serializers takes most of the start time; many
 * endpoints share a schema, and most are registered under two prefixes.
 */
import { AjvCompiler } from '@fastify/ajv-compiler';
import { SerializerSelector } from '@fastify/fast-json-stringify-compiler';
import type { FastifyServerOptions } from 'fastify';

type Compilers = NonNullable<NonNullable<FastifyServerOptions['schemaController']>['compilersFactory']>;
type BuildSerializer = NonNullable<Compilers['buildSerializer']>;
type Serializer = ReturnType<ReturnType<BuildSerializer>>;

const serializers = new WeakMap<object, Serializer>();

const buildSerializer: BuildSerializer = (shared, options) => {
  const compile = SerializerSelector()(shared, options) as ReturnType<BuildSerializer>;
  return (route) => {
    const schema = route.schema as object;
    const serializer = serializers.get(schema) ?? compile(route);
    serializers.set(schema, serializer);
    return serializer;
  };
};

/** Serializes responses of a schema that contains no references. */
export const serializerOf = (schema: object): ((answer: unknown) => string) => {
  const compile = buildSerializer({}, {} as never);
  return compile({ schema, method: 'GET', url: '', httpStatus: '200' } as never) as (answer: unknown) => string;
};

/** One AjvCompiler for all servers: it caches its validators itself. */
export const schemaCompilers: Compilers = { buildSerializer, buildValidator: AjvCompiler() };
