/** A TCP proxy that loses replies: it drops chosen replies of the server and closes the connection. */
import { createConnection, createServer, type Server, type Socket } from 'node:net';

export interface LossyProxy {
  readonly port: number;
  readonly lost: number;
  /** Loses the reply to the next request that contains `word`. */
  loseReplyTo(word: string): void;
  /** Loses every `k`-th reply to a request that contains `word`; 0 loses none. */
  loseEach(k: number, word: string): void;
  close(): Promise<void>;
}

export async function startLossyProxy(targetPort: number): Promise<LossyProxy> {
  const sockets = new Set<Socket>();
  const loss = { each: 0, once: false, word: '', asked: 0, lost: 0 };
  const server = createServer((near) => {
    const far = createConnection(targetPort, '127.0.0.1');
    for (const socket of [near, far]) track(socket, sockets);
    let isDoomed = false;
    near.on('data', (request) => {
      isDoomed ||= isToBeLost(request);
      far.write(request);
    });
    far.on('data', (reply) => {
      if (!isDoomed) {
        near.write(reply);
        return;
      }
      // The server has executed the request; its reply is lost.
      loss.lost += 1;
      near.destroy();
      far.destroy();
    });
    near.on('close', () => far.destroy());
    far.on('close', () => near.destroy());
  });

  function isToBeLost(request: Buffer): boolean {
    if (loss.word === '' || !request.includes(loss.word)) return false;
    loss.asked += 1;
    const isTurn = loss.once || (loss.each > 0 && loss.asked % loss.each === 0);
    loss.once = false;
    return isTurn;
  }

  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    port: portOf(server),
    get lost() {
      return loss.lost;
    },
    loseReplyTo: (word) => Object.assign(loss, { once: true, each: 0, word }),
    loseEach: (each, word) => Object.assign(loss, { once: false, each, word, asked: 0 }),
    async close() {
      for (const socket of sockets) socket.destroy();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

function track(socket: Socket, sockets: Set<Socket>): void {
  sockets.add(socket);
  socket.on('error', () => {});
  socket.on('close', () => sockets.delete(socket));
}

function portOf(server: Server): number {
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('the proxy is not listening');
  return address.port;
}
