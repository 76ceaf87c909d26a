/**
 * What a proxy on Node costs before it does anything of its own: `tcp` copies bytes between two sockets, `http` reads each
 * request and answers with the site's response as it comes. Usage: gate-relay.js tcp|http PORT. Prints its port.
 */
import { createServer as createHttpServer, type Server } from 'node:http';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';

const [, , kind, site] = process.argv;
const server = kind === 'tcp' ? createTcpRelay() : createHttpRelay();
server.listen(0, '127.0.0.1', () => {
  console.log(`listening on http://127.0.0.1:${(server.address() as AddressInfo).port}`);
});
process.once('SIGTERM', () => process.exit(0));

function createTcpRelay() {
  return createServer({ noDelay: true }, (visitor) => {
    const upstream = connectToSite((bytes) => visitor.write(bytes));
    visitor.on('data', (bytes) => upstream.write(bytes));
    for (const [one, other] of [
      [visitor, upstream],
      [upstream, visitor],
    ] as const) {
      one.on('error', () => one.destroy());
      one.on('close', () => other.destroy());
    }
  });
}

/** A connection to the site for each of the visitor's; nothing is checked, kept apart or limited. */
function createHttpRelay(): Server {
  const upstreams = new WeakMap<Socket, (head: string, onBytes: (bytes: Buffer) => void) => void>();
  return createHttpServer((request, response) => {
    const { socket } = request;
    let ask = upstreams.get(socket);
    if (ask === undefined) {
      ask = createAsk(socket);
      upstreams.set(socket, ask);
    }
    const { rawHeaders } = request;
    let head = `${request.method} ${request.url} HTTP/1.1\r\n`;
    for (let at = 0; at < rawHeaders.length; at += 2) head += `${rawHeaders[at]}: ${rawHeaders[at + 1]}\r\n`;
    // The site's small response arrives in one piece.
    ask(`${head}\r\n`, (bytes) => {
      const text = bytes.toString('latin1');
      const body = text.slice(text.indexOf('\r\n\r\n') + 4);
      response.writeHead(200, { 'content-type': 'application/json', 'content-length': body.length }).end(body);
    });
  });
}

function createAsk(visitor: Socket) {
  let answer: (bytes: Buffer) => void;
  const upstream = connectToSite((bytes) => answer(bytes));
  upstream.on('error', () => visitor.destroy());
  visitor.once('close', () => upstream.destroy());
  return (head: string, onBytes: (bytes: Buffer) => void): void => {
    answer = onBytes;
    upstream.write(head, 'latin1');
  };
}

function connectToSite(onBytes: (bytes: Buffer) => void): Socket {
  return connect({ host: '127.0.0.1', port: Number(site), noDelay: true }).on('data', onBytes);
}
