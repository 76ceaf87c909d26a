/** Files held in memory: read once at startup, compressed once when first asked for, identical for every visitor. */
import { createHash } from 'node:crypto';
import { gzipSync } from 'node:zlib';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';

export interface StaticFile {
  type: string;
  body: Buffer;
  /** Compressed at the first use. */
  readonly gzipped: Buffer;
  etag: string;
}

/** How a file is sent. */
export interface FileHeaders {
  cache: string;
  policy?: string;
  referrerPolicy?: string;
}

const TYPES: Readonly<Record<string, string>> = {
  html: 'text/html; charset=utf-8',
  js: 'text/javascript; charset=utf-8',
  css: 'text/css; charset=utf-8',
  json: 'application/json; charset=utf-8',
  svg: 'image/svg+xml',
  ico: 'image/x-icon',
  woff2: 'font/woff2',
};

/** For URLs that change with their content. */
export const IMMUTABLE = 'public, max-age=31536000, immutable';

/** The content type follows from the extension of `name`. */
export function toStaticFile(name: string, content: string | Buffer): StaticFile {
  const body = Buffer.from(content);
  const digest = createHash('sha256').update(body).digest('base64url');
  const type = TYPES[name.slice(name.lastIndexOf('.') + 1)] ?? 'application/octet-stream';
  let gzipped: Buffer | undefined;
  return {
    type,
    body,
    get gzipped() {
      gzipped ??= gzipSync(body, { level: 9 });
      return gzipped;
    },
    etag: `"${digest.slice(0, 22)}"`,
  };
}

/** Adds a route, hidden from the API reference, that sends the file. */
export function serveFile(app: FastifyInstance, path: string, file: StaticFile, headers: FileHeaders): void {
  app.get(path, { schema: { hide: true } }, (request, reply) => sendFile(file, headers, request, reply));
}

export function sendFile(
  file: StaticFile,
  { cache, policy, referrerPolicy }: FileHeaders,
  request: FastifyRequest,
  reply: FastifyReply,
): FastifyReply {
  reply.header('cache-control', cache).header('etag', file.etag).header('vary', 'accept-encoding');
  if (policy !== undefined) reply.header('content-security-policy', policy);
  if (referrerPolicy !== undefined) reply.header('referrer-policy', referrerPolicy);
  if (request.headers['if-none-match'] === file.etag) return reply.code(304).send();
  reply.type(file.type);
  const acceptsGzip = /\bgzip\b/.test(String(request.headers['accept-encoding'] ?? ''));
  return acceptsGzip ? reply.header('content-encoding', 'gzip').send(file.gzipped) : reply.send(file.body);
}
