/** Sets up and watches the room with the operator's endpoints. */
import type { RoomOverrides, RoomSettings } from '../line/model/room-settings.ts';
import type { Client, OutgoingRequest } from './client.ts';

export interface RoomWatch {
  /** Creates or changes the room; returns its settings. */
  prepare(change: RoomOverrides): Promise<PrepareResult>;
  /** The state of the room; undefined if the request failed. */
  look(): Promise<{ waiting: unknown; inside: unknown; limit: unknown } | undefined>;
}

export type PrepareResult = { ok: true; settings: RoomSettings } | { ok: false; problem: string };

export function createRoomWatch(client: Client, eventId: string, operatorToken: string): RoomWatch {
  const headers = { authorization: `Bearer ${operatorToken}` };
  const room = `/api/admin/rooms/${eventId}`;
  return {
    async prepare(change) {
      const isChange = Object.keys(change).length > 0;
      const outgoing: OutgoingRequest = isChange
        ? { method: 'PUT', path: room, headers, body: change }
        : { method: 'GET', path: room, headers };
      const result = await client.send(outgoing);
      if (result.outcome === 'failed') return { ok: false, problem: `no response from the server: ${result.problem}` };
      const { status, body } = result.response;
      if (status !== 200 && status !== 201) {
        return { ok: false, problem: `${outgoing.method} ${room}: ${status} ${body?.error?.message ?? ''}` };
      }
      return { ok: true, settings: body.settings };
    },
    async look() {
      const result = await client.send({ method: 'GET', path: `/api/queue/admin/${eventId}`, headers });
      if (result.outcome === 'failed' || result.response.status !== 200) return undefined;
      const { queueSize, currentUsers, threshold } = result.response.body ?? {};
      return { waiting: queueSize, inside: currentUsers, limit: threshold };
    },
  };
}
