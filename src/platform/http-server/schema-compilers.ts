/**
 * The functions that check what comes in and write what goes out are compiled from schemas, which is most of the time
 * that a start takes. Many addresses share a schema, and all have two prefixes: each is compiled once in this process.
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

/** What writes the answers of a schema that refers to no other. */
export const serializerOf = (schema: object): ((answer: unknown) => string) => {
  const compile = buildSerializer({}, {} as never);
  return compile({ schema, method: 'GET', url: '', httpStatus: '200' } as never) as (answer: unknown) => string;
};

/** The validators' compiler remembers by itself, as long as it is the same one. */
export const schemaCompilers: Compilers = { buildSerializer, buildValidator: AjvCompiler() };
