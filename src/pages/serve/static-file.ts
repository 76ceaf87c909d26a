/** A file as it is sent: made once, compressed once, the same for everybody. */
import { createHash } from 'node:crypto';
import { gzipSync } from 'node:zlib';
import type { FastifyReply, FastifyRequest } from 'fastify';

export interface StaticFile {
  type: string;
  body: Buffer;
  gzipped: Buffer;
  etag: string;
}

const TYPES: Readonly<Record<string, string>> = {
  html: 'text/html; charset=utf-8',
  js: 'text/javascript; charset=utf-8',
  css: 'text/css; charset=utf-8',
};

/** For names that change with their content. */
export const FOR_EVER = 'public, max-age=31536000, immutable';

/** `name` ends in what kind of file it is. */
export function toStaticFile(name: string, content: string | Buffer): StaticFile {
  const body = Buffer.from(content);
  const digest = createHash('sha256').update(body).digest('base64url');
  const type = TYPES[name.slice(name.lastIndexOf('.') + 1)] ?? 'application/octet-stream';
  return { type, body, gzipped: gzipSync(body, { level: 9 }), etag: `"${digest.slice(0, 22)}"` };
}

export function sendFile(file: StaticFile, cache: string, request: FastifyRequest, reply: FastifyReply): FastifyReply {
  reply.header('cache-control', cache).header('etag', file.etag).header('vary', 'accept-encoding');
  if (request.headers['if-none-match'] === file.etag) return reply.code(304).send();
  reply.type(file.type);
  const takesGzip = /\bgzip\b/.test(String(request.headers['accept-encoding'] ?? ''));
  return takesGzip ? reply.header('content-encoding', 'gzip').send(file.gzipped) : reply.send(file.body);
}
