/** As much of S3 as the poster store uses: put, get and delete objects of one bucket, in memory. */
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface S3Stub {
  url: string;
  objects: Map<string, { body: Buffer; type: string | undefined }>;
  close(): Promise<void>;
}

export async function startS3Stub(): Promise<S3Stub> {
  const objects: S3Stub['objects'] = new Map();
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const body = Buffer.concat(chunks);
    const { pathname, searchParams } = new URL(request.url!, 'http://s3');
    const key = decodeURIComponent(pathname.slice(1));
    if (request.method === 'PUT') {
      objects.set(key, { body, type: request.headers['content-type'] });
      response.end();
    } else if (request.method === 'GET') {
      const found = objects.get(key);
      if (found !== undefined) return void response.end(found.body);
      response.writeHead(404, { 'content-type': 'application/xml' });
      response.end('<Error><Code>NoSuchKey</Code><Message>The specified key does not exist.</Message></Error>');
    } else if (request.method === 'POST' && searchParams.has('delete')) {
      for (const [, name] of body.toString().matchAll(/<Key>([^<]+)<\/Key>/g)) {
        objects.delete(`${key.replace(/\/$/, '')}/${name}`);
      }
      response.writeHead(200, { 'content-type': 'application/xml' });
      response.end('<DeleteResult xmlns="http://s3.amazonaws.com/doc/2006-03-01/"></DeleteResult>');
    } else response.writeHead(501).end();
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    objects,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}
