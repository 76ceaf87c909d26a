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

  /** False if the connection was not added. */
  addResponse(socket: Socket, response: ServerResponse): boolean {
    const responses = this.#open.get(socket);
    if (responses === undefined) return false;
    responses.add(response);
    response.once('close', () => responses.delete(response));
    return true;
  }

  hasConnection(socket: Socket): boolean {
    return this.#open.has(socket);
  }
}
