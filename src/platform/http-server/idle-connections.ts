/**
 * Closes connections that carry no request when the server closes. Node leaves two kinds open, and a single one can delay a
 * stop for a minute: those that have not carried a request yet, which browsers open ahead of need, and those whose response
 * was under way when the server began to close. Costs nothing per request.
 */
import type { Server } from 'node:http';
import type { Socket } from 'node:net';
import type { FastifyInstance } from 'fastify';

const LOOK_EVERY_MS = 50;

export function closeIdleConnections(app: FastifyInstance): void {
  const server = app.server as Server;
  const open = new Set<Socket>();
  let isClosing = false;
  server.on('connection', (socket) => {
    if (isClosing) return socket.destroy();
    open.add(socket);
    socket.once('close', () => open.delete(socket));
  });
  app.addHook('preClose', async () => {
    isClosing = true;
    for (const socket of open) if (socket.bytesRead === 0) socket.destroy();
    if (!server.listening) return;
    const timer = setInterval(() => server.closeIdleConnections(), LOOK_EVERY_MS);
    server.once('close', () => clearInterval(timer));
  });
}
