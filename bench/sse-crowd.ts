/** Many clients of the stream door on raw sockets, which are cheap, and record when frames arrive. */
import { connect, type Socket } from 'node:net';

export interface Crowd {
  /** Arrival time of each `room` event since the last reset. */
  roomTimes: number[];
  /** Milliseconds from each admission until its client received it. */
  admissionDelays: number[];
  /** Bytes received by all clients. */
  bytes: number;
  open(count: number): Promise<void>;
  close(): void;
}

/** Connections opened concurrently. */
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
      // Frames are small and written whole, so one is hardly ever split between two reads on loopback.
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
