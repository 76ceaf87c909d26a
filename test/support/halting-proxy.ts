/**
 * A TCP proxy in front of PostgreSQL that halts at a chosen statement: before the server receives it, or after the server
 * has executed it but before the client gets the reply. A test can then kill the client at exactly that step.
 */
import { createConnection, createServer, type Socket } from 'node:net';

export interface HaltingProxy {
  /** The same database, through the proxy. */
  readonly url: string;
  /** Resolves when the step is reached. From then on the connection is halted until its client disconnects. */
  haltAt(step: Step): Promise<void>;
  close(): Promise<void>;
}

export interface Step {
  /** A substring of the statement. */
  statement: string;
  /** Halts at the commit of the statement's transaction instead. */
  at?: 'commit';
  /** `before`: the server does not receive it; `after`: the server has executed it, and its reply is lost. */
  when: 'before' | 'after';
}

interface Armed extends Step {
  reached: () => void;
}

export async function startHaltingProxy(target: string): Promise<HaltingProxy> {
  const { hostname, port } = new URL(target);
  const sockets = new Set<Socket>();
  let armed: Armed | undefined;

  const server = createServer((near) => {
    const far = createConnection(Number(port), hostname);
    let isInTransaction = false;
    let halted: Armed | undefined;
    for (const socket of [near, far]) {
      sockets.add(socket);
      socket.on('error', () => {});
      socket.on('close', () => sockets.delete(socket));
    }
    const isStep = (request: Buffer, { statement, at }: Armed): boolean => {
      if (at === undefined) return request.includes(statement);
      isInTransaction ||= request.includes(statement);
      return isInTransaction && request.includes(at);
    };
    near.on('data', (request) => {
      if (halted === undefined && armed !== undefined && isStep(request, armed)) {
        halted = armed;
        armed = undefined;
      } else {
        far.write(request);
        return;
      }
      if (halted.when === 'before') halted.reached();
      else far.write(request);
    });
    far.on('data', (reply) => {
      if (halted === undefined) near.write(reply);
      else halted.reached();
    });
    near.on('close', () => far.destroy());
    far.on('close', () => near.destroy());
  });

  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const own = new URL(target);
  own.port = String((server.address() as { port: number }).port);
  return {
    url: own.href,
    haltAt: (step) =>
      new Promise((reached) => {
        armed = { ...step, reached };
      }),
    async close() {
      for (const socket of sockets) socket.destroy();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
