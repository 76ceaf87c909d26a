/** The live feed of a seat map: its current version, then changes. */
import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import { Type } from 'typebox';
import { AddressStreams } from '../../http/address-streams.ts';
import { beginStream, onClose, refusePipelined } from '../../http/begin-stream.ts';
import { AppError } from '../../http/errors.ts';
import { EventParams } from '../../http/event-params.ts';
import type { SharedReads } from '../../http/shared-reads.ts';
import { Stream } from '../../http/stream.ts';
import { addressKey } from '../../platform/rate-limit.ts';
import type { SeatMaps, SeatMapUpdate } from '../seat-maps.ts';

export interface SeatChangesOptions {
  maps: SeatMaps;
  reads: SharedReads;
  streamsPerAddress: number;
  stopping: AbortSignal;
}

/** A client with more unread bytes is dropped; it reads the whole map again when it reconnects. */
const SLOW_ABOVE_BYTES = 256 * 1024;
const HEARTBEAT_MS = 15_000;
const REFUSED_SECONDS = 10;

export const seatChangeRoutes: FastifyPluginAsyncTypebox<SeatChangesOptions> = async (app, options) => {
  const { maps, reads, stopping } = options;
  const addresses = new AddressStreams(options.streamsPerAddress);
  const streams = new Set<Stream>();

  // Streams have no end: without this, closing the server would wait for every viewer to leave.
  app.addHook('preClose', async () => {
    for (const stream of streams) stream.end('');
  });

  app.get(
    '/seats/events/:eventId/changes',
    {
      exposeHeadRoute: false,
      schema: {
        tags: ['shop: seats'],
        operationId: 'streamSeatChanges',
        security: [],
        errors: ['SHOP_EVENT_NOT_FOUND', 'RATE_LIMITED'],
        summary: 'Live changes of the seat map (SSE): events map, seats',
        params: EventParams,
        response: { 200: { content: { 'text/event-stream': { schema: Type.String() } } } },
      },
    },
    async (request, reply) => {
      if (stopping.aborted) throw new AppError('STOPPING', { retryAfterSeconds: 1 });
      refusePipelined(reply);
      const address = addressKey(request.ip);
      if (!addresses.tryTake(address)) {
        const message = 'Too many open streams from this address. Poll the seat map instead.';
        throw new AppError('RATE_LIMITED', { message, retryAfterSeconds: REFUSED_SECONDS });
      }
      onClose(reply.raw, () => addresses.giveBack(address));
      if (!maps.isKept(request.params.eventId)) reads.count(request);
      let stream: Stream | undefined;
      const write = (text: string) => {
        if (stream?.write(text, 0) === 'slow') stream.end('');
      };
      const watching = await maps.watch(request.params.eventId, (update) => write(formatUpdate(update)));
      if (watching === undefined) throw new AppError('SHOP_EVENT_NOT_FOUND');
      onClose(reply.raw, watching.stop);
      const opened = new Stream(beginStream(reply), SLOW_ABOVE_BYTES);
      stream = opened;
      streams.add(opened);
      write(format('map', { version: watching.map.version }));
      const heartbeat = setInterval(() => write(':\n\n'), HEARTBEAT_MS);
      onClose(reply.raw, () => {
        clearInterval(heartbeat);
        streams.delete(opened);
      });
    },
  );
};

/** `map` makes the client read the whole map again. */
function formatUpdate({ map, changes }: SeatMapUpdate): string {
  const { version } = map;
  return changes === undefined ? format('map', { version }) : format('seats', { version, changes });
}

function format(name: string, data: object): string {
  return `event: ${name}\ndata: ${JSON.stringify(data)}\n\n`;
}
