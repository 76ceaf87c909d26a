/** A process of sse-crowd.ts: clients on raw sockets, which are cheap. They record when frames arrive. */
import { connect, type Socket } from 'node:net';

export interface Received {
  /** When each `room` event arrived. */
  roomTimes: number[];
  /** Milliseconds from each admission until its client knew of it. */
  admissionDelays: number[];
  bytes: number;
}

/** Connections opened concurrently. */
const OPENING = 50;

const [port, path, localAddress] = process.argv.slice(2);
const request = `GET ${path} HTTP/1.1\r\nhost: 127.0.0.1\r\naccept: text/event-stream\r\n\r\n`;
const sockets: Socket[] = [];
let received = nothing();

process.on('message', async ({ open = 0 }: { open?: number }) => {
  await openStreams(open);
  const answer = received;
  received = nothing();
  process.send!(answer);
});
process.on('disconnect', () => process.exit());

function nothing(): Received {
  return { roomTimes: [], admissionDelays: [], bytes: 0 };
}

async function openStreams(count: number): Promise<void> {
  let left = count;
  await Promise.all(
    Array.from({ length: OPENING }, async () => {
      while (left > 0) {
        left -= 1;
        await openOne();
      }
    }),
  );
}

function openOne(): Promise<void> {
  return new Promise((resolve, reject) => {
    const socket = connect({ port: Number(port), host: '127.0.0.1', localAddress }, () => socket.write(request));
    sockets.push(socket);
    socket.setEncoding('latin1');
    socket.once('error', reject);
    socket.once('data', (text: string) => {
      if (text.startsWith('HTTP/1.1 200')) resolve();
      else reject(new Error(text));
    });
    // Frames are small and written whole, so one is hardly ever split between two reads on loopback.
    socket.on('data', (text: string) => read(text));
  });
}

function read(text: string): void {
  received.bytes += text.length;
  if (text.includes('event: room')) received.roomTimes.push(Date.now());
  const admittedAt = /"admittedAt":"([^"]+)"/.exec(text)?.[1];
  if (admittedAt !== undefined) received.admissionDelays.push(Date.now() - Date.parse(admittedAt));
}
