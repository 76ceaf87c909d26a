/** Serves hand-written pages and what they load, read once at start-up. */
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';

export interface PageFile {
  /** The address, which may have parameters: a page finds them in its own address. */
  path: string;
  /** In pages/draw/. */
  file: string;
}

const TYPES: Record<string, string> = {
  html: 'text/html; charset=utf-8',
  css: 'text/css; charset=utf-8',
  js: 'text/javascript; charset=utf-8',
};
/** No script or style but our own files, nobody else's frame around it. */
const POLICY =
  "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; img-src 'self'; " +
  "base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

export function servePage(app: FastifyInstance, { path, file }: PageFile): void {
  const content = readFileSync(new URL(`../draw/${file}`, import.meta.url));
  const etag = `"${createHash('sha256').update(content).digest('base64url').slice(0, 22)}"`;
  const type = TYPES[file.slice(file.lastIndexOf('.') + 1)]!;
  app.get(path, { schema: { hide: true } }, async (request: FastifyRequest, reply: FastifyReply) => {
    reply.headers({ 'cache-control': 'public, max-age=60', etag, 'content-security-policy': POLICY });
    reply.headers({ 'referrer-policy': 'no-referrer' });
    if (request.headers['if-none-match'] === etag) return reply.code(304).send();
    return reply.type(type).send(content);
  });
}
