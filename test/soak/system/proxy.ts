/**
 * A TCP proxy between the program and a store. It can delay, swallow or mute what passes, lose every k-th reply after the store
 * has executed the request, refuse and cut connections. Addresses of the store in its replies are replaced by those of proxies, so that
 * clients that learn of servers (Kafka, Redis Cluster) do not go around them.
 */
import { createConnection, createServer, type Socket } from 'node:net';

export type ProxyFault =
  | { how: 'none' }
  /** Each chunk is passed on later, in order. */
  | { how: 'delay'; ms: number }
  /** Nothing passes in either direction, and connections stay open: a cable that was pulled. */
  | { how: 'blackhole' }
  /** Requests reach the store; replies do not come back. */
  | { how: 'mute' }
  /** The k-th reply is lost with its connection. */
  | { how: 'lose-replies'; each: number }
  /** Open connections are closed, and new ones at once. */
  | { how: 'cut' };

export interface StoreProxy {
  readonly port: number;
  set(fault: ProxyFault): void;
  /** Closes open connections once. */
  cutOnce(): void;
  close(): Promise<void>;
}

/** Bytes to find in replies, and their replacement of the same length. */
export interface Replacement {
  from: Buffer;
  to: Buffer;
}

interface Link {
  near: Socket;
  far: Socket;
}

export async function startProxy(
  targetPort: number,
  port: number,
  replacements: () => readonly Replacement[] = () => [],
): Promise<StoreProxy> {
  const links = new Set<Link>();
  let fault: ProxyFault = { how: 'none' };
  let replies = 0;

  const server = createServer((near) => {
    near.on('error', () => {});
    if (fault.how === 'cut') {
      near.destroy();
      return;
    }
    const far = createConnection(targetPort, '127.0.0.1');
    far.on('error', () => {});
    const link = { near, far };
    links.add(link);
    const [toFar, toNear] = [createLane(far), createLane(near)];
    near.on('data', (chunk) => pass(chunk, toFar, true));
    far.on('data', (chunk) => pass(replace(chunk), toNear, false, link));
    near.on('close', () => end(link));
    far.on('close', () => {
      // A link that lies dead for its client does not tell it that the store went away.
      if (fault.how !== 'blackhole' && fault.how !== 'mute') end(link);
    });
  });

  function pass(chunk: Buffer, lane: Lane, isRequest: boolean, link?: Link): void {
    if (fault.how === 'blackhole') return;
    if (fault.how === 'mute' && !isRequest) return;
    if (fault.how === 'lose-replies' && !isRequest) {
      replies += 1;
      if (replies % fault.each === 0 && link !== undefined) {
        end(link);
        return;
      }
    }
    lane.send(chunk, fault.how === 'delay' ? fault.ms : 0);
  }

  function replace(chunk: Buffer): Buffer {
    for (const { from, to } of replacements())
      for (let at = chunk.indexOf(from); at >= 0; at = chunk.indexOf(from, at + 1)) to.copy(chunk, at);
    return chunk;
  }

  function end(link: Link): void {
    links.delete(link);
    link.near.destroy();
    link.far.destroy();
  }

  const cutOnce = () => {
    for (const link of links) end(link);
  };
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, '127.0.0.1', resolve);
  });
  return {
    port,
    set(next) {
      const wasDead = fault.how === 'blackhole' || fault.how === 'mute';
      fault = next;
      // Bytes were swallowed in the middle of a conversation: what follows would make no sense to either side.
      if (wasDead || next.how === 'cut') cutOnce();
    },
    cutOnce,
    async close() {
      cutOnce();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

interface Lane {
  send(chunk: Buffer, afterMs: number): void;
}

/** One direction of a connection. Bytes never overtake each other, also when a delay ends. */
function createLane(to: Socket): Lane {
  const queue: { chunk: Buffer; due: number }[] = [];
  const pump = () => {
    while (queue.length > 0 && queue[0]!.due <= performance.now()) {
      const { chunk } = queue.shift()!;
      if (to.writable) to.write(chunk);
    }
    if (queue.length > 0) setTimeout(pump, queue[0]!.due - performance.now());
  };
  return {
    send(chunk, afterMs) {
      queue.push({ chunk, due: performance.now() + afterMs });
      if (queue.length === 1) pump();
    },
  };
}
