/** Publishes the public keys of entry tokens, vwr tokens and staff passes (JWKS, RFC 7517). Public and cacheable. */
import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import { Type } from 'typebox';
import type { PublishedKeys } from '../../signing-keys/key-file-follower.ts';
import { JWKS_PATH } from '../lookups/line-keys.ts';

/** Shorter than the ten seconds that a key is published before it signs, and that a retired one may still be accepted. */
const CACHE = 'public, max-age=3';

const Key = Type.Object(
  {
    kty: Type.String({ description: '`OKP` for EdDSA, `EC` for ES256' }),
    crv: Type.String({ description: '`Ed25519` or `P-256`' }),
    x: Type.String(),
    y: Type.Optional(Type.String()),
    kid: Type.String({ description: 'The key id, which the header of a token names' }),
    alg: Type.String({ description: '`EdDSA` or `ES256`' }),
    use: Type.Literal('sig'),
  },
  { description: 'A public key as a JWK' },
);
const Answer = Type.Object({
  keys: Type.Array(Key, { description: 'Those that sign, will sign, or have signed tokens that are still valid' }),
});

export interface JwksRoutesOptions {
  published: () => PublishedKeys;
}

export const jwksRoutes: FastifyPluginAsyncTypebox<JwksRoutesOptions> = async (app, { published }) => {
  app.get(
    JWKS_PATH,
    {
      schema: {
        tags: ['gate'],
        operationId: 'getTokenKeys',
        security: [],
        summary: 'The public keys that verify tokens; none with HS256',
        response: { 200: Answer, 304: Type.Null({ description: 'Not changed since `If-None-Match`' }) },
      },
    },
    async (request, reply) => {
      const { text, etag } = published();
      reply.header('cache-control', CACHE).header('etag', etag);
      if (request.headers['if-none-match'] === etag) return reply.code(304).send(null);
      // Fastify sends a text as it is.
      return reply.type('application/json; charset=utf-8').send(text as never);
    },
  );
};
