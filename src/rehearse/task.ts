/** What one process of a rehearsal does, as plain data, so that a worker can do it. */
import type { VisitorPlan } from '../simulate/sale.ts';
import { buyBestSeats } from './buy.ts';
import { Client, type ClientOptions } from './client.ts';
import { type CredentialOptions, createCredentials } from './credentials.ts';
import type { Findings, RoomSample } from './findings.ts';
import { rehearse } from './rehearsal.ts';
import { createRoomWatch } from './room-watch.ts';

export interface RehearsalTask {
  client: ClientOptions;
  eventId: string;
  /** The visitors of this process: those number `nth`, `nth + of`, … of all. */
  crowd: readonly VisitorPlan[];
  nth: number;
  of: number;
  credentials: CredentialOptions;
  operatorToken: string | undefined;
  /** Share of all visitors who wait on a stream. */
  streams: number;
  /** Seats each buyer buys; 0: no purchases. */
  seatsPerBuyer: number;
  endsAfterMs: number;
}

export interface Progress {
  finished: number;
  errors: number;
  room: RoomSample | undefined;
}

export interface TaskWatch {
  /** Ends the rehearsal early. */
  signal: AbortSignal;
  onProgress: (progress: Progress) => void;
}

/** `startsAtNs`: by process.hrtime.bigint(), which all processes of a machine share. */
export async function runTask(
  task: RehearsalTask,
  startsAtNs: bigint,
  { signal, onProgress }: TaskWatch,
): Promise<Findings> {
  const { eventId, crowd, nth, of, streams, seatsPerBuyer, operatorToken, endsAfterMs } = task;
  const client = new Client(task.client);
  const credentialsOf = createCredentials(task.credentials);
  const numberOf = (index: number) => nth + of * index;
  try {
    return await rehearse({
      client,
      eventId,
      crowd,
      credentialsOf: (index) => credentialsOf(numberOf(index)),
      // Spreads the streams evenly over all visitors.
      usesStream: (index) => {
        const number = numberOf(index);
        return Math.floor((number + 1) * streams) > Math.floor(number * streams);
      },
      buy: seatsPerBuyer === 0 ? undefined : (visitor) => buyBestSeats(visitor, seatsPerBuyer),
      roomWatch: operatorToken === undefined ? undefined : createRoomWatch(client, eventId, operatorToken),
      startsAt: performance.now() + Number(startsAtNs - process.hrtime.bigint()) / 1e6,
      endsAfterMs,
      signal,
      onProgress: ({ finished, errors, samples }) => onProgress({ finished, errors, room: samples.at(-1) }),
    });
  } finally {
    client.close();
  }
}

/** One task per worker, with visitors in turns and connections in equal parts. */
export function splitTask(task: RehearsalTask, workers: number): RehearsalTask[] {
  return Array.from({ length: workers }, (_, nth) => ({
    ...task,
    crowd: task.crowd.filter((_plan, index) => index % workers === nth),
    nth,
    of: workers,
    client: { ...task.client, connections: Math.ceil(task.client.connections / workers) },
  }));
}
