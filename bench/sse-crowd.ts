/** Many clients of the stream door on raw sockets, which cost this process little and time what they receive. */
import { connect, type Socket } from 'node:net';

export interface Crowd {
  /** When each `room` event came since the last reset. */
  roomTimes: number[];
  /** Milliseconds from each admission to the client's hearing of it. */
  admissionDelays: number[];
  /** Bytes received by all. */
  bytes: number;
  open(count: number): Promise<void>;
  close(): void;
}

/** Connections being opened at the same time. */
const OPENING = 100;

export function createCrowd(url: string, path: string): Crowd {
  const { hostname, port } = new URL(url);
  const sockets: Socket[] = [];
  const request = `GET ${path} HTTP/1.1\r\nhost: ${hostname}\r\naccept: text/event-stream\r\n\r\n`;
  const crowd: Crowd = { roomTimes: [], admissionDelays: [], bytes: 0, open, close };

  async function open(count: number): Promise<void> {
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
      const socket = connect(Number(port), hostname, () => socket.write(request));
      sockets.push(socket);
      socket.setEncoding('latin1');
      socket.once('error', reject);
      socket.once('data', (text: string) => {
        if (text.startsWith('HTTP/1.1 200')) resolve();
        else reject(new Error(text));
      });
      // Frames are written whole and are small, so that one is hardly ever split between two reads on a loopback.
      socket.on('data', (text: string) => receive(text));
    });
  }

  function receive(text: string): void {
    crowd.bytes += text.length;
    if (text.includes('event: room')) crowd.roomTimes.push(Date.now());
    const admittedAt = /"admittedAt":"([^"]+)"/.exec(text)?.[1];
    if (admittedAt !== undefined) crowd.admissionDelays.push(Date.now() - Date.parse(admittedAt));
  }

  function close(): void {
    for (const socket of sockets) socket.destroy();
  }

  return crowd;
}
