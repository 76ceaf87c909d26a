/** Files held in memory: read once at startup, compressed once when first asked for, identical for every visitor. */
import { createHash } from 'node:crypto';
import { brotliCompressSync, constants, gzipSync } from 'node:zlib';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';

export interface StaticFile {
  type: string;
  body: Buffer;
  /** Compressed at the first use. */
  readonly gzipped: Buffer;
  readonly brotli: Buffer;
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

const BEST_BELOW_BYTES = 65_536;
const FAST_QUALITY = 9;

/** For URLs that change with their content. */
export const IMMUTABLE = 'public, max-age=31536000, immutable';

/** The content type follows from the extension of `name`. */
export function toStaticFile(name: string, content: string | Buffer): StaticFile {
  const body = Buffer.from(content);
  const digest = createHash('sha256').update(body).digest('base64url');
  const type = TYPES[name.slice(name.lastIndexOf('.') + 1)] ?? 'application/octet-stream';
  let gzipped: Buffer | undefined;
  let brotli: Buffer | undefined;
  return {
    type,
    body,
    get gzipped() {
      gzipped ??= gzipSync(body, { level: 9 });
      return gzipped;
    },
    get brotli() {
      brotli ??= compress(body);
      return brotli;
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
  const accepted = String(request.headers['accept-encoding'] ?? '');
  if (/\bbr\b/.test(accepted)) return reply.header('content-encoding', 'br').send(file.brotli);
  if (/\bgzip\b/.test(accepted)) return reply.header('content-encoding', 'gzip').send(file.gzipped);
  return reply.send(file.body);
}

/** Of a large file the best quality would take a third of a second, in which nobody else is served. */
function compress(body: Buffer): Buffer {
  const quality = body.length < BEST_BELOW_BYTES ? constants.BROTLI_MAX_QUALITY : FAST_QUALITY;
  return brotliCompressSync(body, { params: { [constants.BROTLI_PARAM_QUALITY]: quality } });
}
