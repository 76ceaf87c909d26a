/**
 * Emits `close` on every response of a connection that closes. Node does so only for the response that is being sent: one
 * that is queued behind it (pipelining) would keep its upstream connection and its place in the limits for ever.
 */
import type { ServerResponse } from 'node:http';
import type { Socket } from 'node:net';

export class PipelinedResponses {
  readonly #open = new WeakMap<Socket, Set<ServerResponse>>();

  addConnection(socket: Socket): void {
    const responses = new Set<ServerResponse>();
    this.#open.set(socket, responses);
    socket.once('close', () => {
      for (const response of responses) {
        // A response that has the socket gets the event from Node.
        if (response.socket !== null) continue;
        response.destroy();
        response.emit('close');
      }
    });
  }

  addResponse(socket: Socket, response: ServerResponse): void {
    const responses = this.#open.get(socket);
    responses?.add(response);
    response.once('close', () => responses?.delete(response));
  }
}
