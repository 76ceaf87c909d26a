/**
 * A TCP proxy in front of a Kafka broker. It replaces the broker's address in metadata responses, so clients keep using the
 * proxy. It can swallow produce requests and reply with an error or not at all.
 */
import { createConnection, createServer, type Socket } from 'node:net';

export interface KafkaProxy {
  /** In the format of KAFKA_BROKERS. */
  readonly address: string;
  /** Number of produce requests seen. */
  readonly asked: number;
  /** Refuses the next `count` produce requests. */
  refuse(count: number, how: Refusal): void;
  close(): Promise<void>;
}

/** `not-leader`: the reply of a broker that does not lead the partition; `silence`: no reply. */
export type Refusal = 'not-leader' | 'silence';

const PRODUCE = 0;
const NOT_LEADER = 6;

export async function startKafkaProxy(target: string): Promise<KafkaProxy> {
  const [host = '', port = ''] = target.split(':');
  const sockets = new Set<Socket>();
  const refusing = { count: 0, how: 'silence' as Refusal, asked: 0 };
  let ownPort = 0;

  const server = createServer((near) => {
    const far = createConnection(Number(port), host);
    for (const socket of [near, far]) {
      sockets.add(socket);
      socket.on('error', () => {});
      socket.on('close', () => sockets.delete(socket));
    }
    onFrames(near, (request) => {
      if (!isRefused(request)) far.write(withLength(request));
      else if (refusing.how === 'not-leader') near.write(withLength(notLeader(request.readInt32BE(4))));
    });
    onFrames(far, (reply) => near.write(withLength(inOwnName(reply))));
    near.on('close', () => far.destroy());
    far.on('close', () => near.destroy());
  });

  function isRefused(request: Buffer): boolean {
    if (request.readInt16BE(0) !== PRODUCE) return false;
    refusing.asked += 1;
    refusing.count -= 1;
    return refusing.count >= 0;
  }

  function inOwnName(reply: Buffer): Buffer {
    const at = reply.indexOf(addressOf(host, Number(port)));
    if (at >= 0) addressOf(host, ownPort).copy(reply, at);
    return reply;
  }

  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  ownPort = (server.address() as { port: number }).port;
  return {
    address: `127.0.0.1:${ownPort}`,
    get asked() {
      return refusing.asked;
    },
    refuse: (count, how) => Object.assign(refusing, { count, how }),
    async close() {
      for (const socket of sockets) socket.destroy();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

/** Each request and reply is prefixed by its length in four bytes. */
function onFrames(socket: Socket, onFrame: (frame: Buffer) => void): void {
  let pending: Buffer = Buffer.alloc(0);
  socket.on('data', (chunk) => {
    pending = Buffer.concat([pending, chunk]);
    while (pending.length >= 4 && pending.length >= 4 + pending.readInt32BE(0)) {
      const end = 4 + pending.readInt32BE(0);
      onFrame(Buffer.from(pending.subarray(4, end)));
      pending = pending.subarray(end);
    }
  });
}

const withLength = (frame: Buffer) => Buffer.concat([int32(frame.length), frame]);
const addressOf = (host: string, port: number) => Buffer.concat([text(host), int32(port)]);
const text = (value: string) => Buffer.concat([Buffer.from([value.length + 1]), Buffer.from(value)]);

function int32(value: number): Buffer {
  const bytes = Buffer.alloc(4);
  bytes.writeInt32BE(value);
  return bytes;
}

/** A Produce response, versions 10 and 11 (brokers since 3.7), for two partitions of a topic. */
function notLeader(correlationId: number): Buffer {
  const none = Buffer.from([0]);
  const partitions = [0, 1].map((no) =>
    Buffer.concat([int32(no), Buffer.from([0, NOT_LEADER]), nothingStored(), leader()]),
  );
  const topic = Buffer.concat([text('some-topic'), Buffer.from([partitions.length + 1]), ...partitions, none]);
  return Buffer.concat([int32(correlationId), none, Buffer.from([2]), topic, int32(0), none]);
}

/** Base offset, append time and log start offset are -1; no record errors, no message. */
const nothingStored = () => Buffer.concat([Buffer.alloc(24, 0xff), Buffer.from([1, 0])]);

/** The tagged field 0: the current leader of the partition and its epoch. */
function leader(): Buffer {
  const current = Buffer.concat([int32(2), int32(5), Buffer.from([0])]);
  return Buffer.concat([Buffer.from([1, 0, current.length]), current]);
}
