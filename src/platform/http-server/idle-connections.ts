/**
 * Closes connections that have not carried a request yet as soon as the server starts to close. Browsers open such
 * connections ahead of need. Node does not count them as idle when a server closes and stops timing them out, so a
 * single one can delay a stop for a minute. Costs nothing per request.
 */
import type { Server } from 'node:http';
import type { Socket } from 'node:net';
import type { FastifyInstance } from 'fastify';

export function closeIdleConnections(app: FastifyInstance): void {
  const open = new Set<Socket>();
  let isClosing = false;
  (app.server as Server).on('connection', (socket) => {
    if (isClosing) return socket.destroy();
    open.add(socket);
    socket.once('close', () => open.delete(socket));
  });
  app.addHook('preClose', async () => {
    isClosing = true;
    for (const socket of open) if (socket.bytesRead === 0) socket.destroy();
  });
}
