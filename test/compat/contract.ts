/**
 * A contract: what the clients of another system send, in order, and what they need in the answers. Written from the
 * documents of that system and from what its clients were seen to send.
 */
import type { RoomChange } from '../../src/line/model/room-settings.ts';
import type { Shape } from './shapes.ts';

export interface Contract {
  /** Which client of which system: `urr: queue page`. */
  name: string;
  /** Settings of the instance, such as COMPAT. */
  env: Readonly<Record<string, string>>;
  /** Settings of the room `concert`. */
  room?: RoomChange;
  /** true: the instance sells seats for the event `concert` (rows 1 and 2 of section A, 10 seats each, 50,000; 100 standing tickets F, 30,000). */
  shop?: boolean;
  exchanges: readonly Exchange[];
}

export interface Exchange {
  /** What the client is doing: `polls while it waits`. Unique in its contract. */
  name: string;
  request: {
    method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE' | 'OPTIONS';
    /** `{name}` is replaced by what an earlier exchange kept. So it is in headers and strings of the body. */
    path: string;
    headers?: Readonly<Record<string, string>>;
    body?: unknown;
    /** `user:ann` sends a token of that user, `operator` the operator's, `guest:bob` the cookies this guest was given so far. */
    as?: `user:${string}` | `guest:${string}` | 'operator';
  };
  /** Repeats the request until the answer fits: for what happens in the background, such as an admission. */
  until?: true;
  answer: {
    status: number;
    headers?: Readonly<Record<string, Shape>>;
    body?: Shape;
    /** The first messages of an event stream, in order; others may be between them. Each as `{event?, data}`. */
    messages?: readonly Shape[];
  };
  /** Names for values of the answer, by their path in the body: `{ token: 'waiting_token' }`. */
  keep?: Readonly<Record<string, string>>;
  /** What the client does with the answer, so that a reader knows why a field is needed. */
  next: string;
}
