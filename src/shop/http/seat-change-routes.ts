/** The live feed of a seat map: which version one should have, then what changes. */
import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import { Type } from 'typebox';
import { AddressStreams } from '../../http/address-streams.ts';
import { beginStream, onClose, refusePipelined } from '../../http/begin-stream.ts';
import { AppError } from '../../http/errors.ts';
import { EventParams } from '../../http/event-params.ts';
import { Stream } from '../../http/stream.ts';
import { addressKey } from '../../platform/rate-limit.ts';
import type { SeatMaps, SeatMapUpdate } from '../seat-maps.ts';

export interface SeatChangesOptions {
  maps: SeatMaps;
  streamsPerAddress: number;
  stopping: AbortSignal;
}

/** A client with more than this unread is dropped; it reads the whole map again when it comes back. */
const SLOW_ABOVE_BYTES = 256 * 1024;
const HEARTBEAT_MS = 15_000;
const REFUSED_SECONDS = 10;

export const seatChangeRoutes: FastifyPluginAsyncTypebox<SeatChangesOptions> = async (app, options) => {
  const { maps, stopping } = options;
  const addresses = new AddressStreams(options.streamsPerAddress);
  const streams = new Set<Stream>();

  // Streams never end by themselves: without this, closing the server would wait for every viewer to leave.
  app.addHook('preClose', async () => {
    for (const stream of streams) stream.end('');
  });

  app.get(
    '/seats/events/:eventId/changes',
    {
      exposeHeadRoute: false,
      schema: {
        tags: ['shop: seats'],
        summary: 'What changes on the map, as it happens: events map, seats',
        params: EventParams,
        response: { 200: { content: { 'text/event-stream': { schema: Type.String() } } } },
      },
    },
    async (request, reply) => {
      if (stopping.aborted) throw new AppError('STOPPING', { retryAfterSeconds: 1 });
      refusePipelined(reply);
      const address = addressKey(request.ip);
      if (!addresses.tryTake(address)) {
        const message = 'Too many streams are open from here. Ask for the map itself instead.';
        throw new AppError('RATE_LIMITED', { message, retryAfterSeconds: REFUSED_SECONDS });
      }
      onClose(reply.raw, () => addresses.giveBack(address));
      let stream: Stream | undefined;
      const tell = (text: string) => {
        if (stream?.write(text, 0) === 'slow') stream.end('');
      };
      const watching = await maps.watch(request.params.eventId, (update) => tell(formatUpdate(update)));
      if (watching === undefined) throw new AppError('SHOP_EVENT_NOT_FOUND');
      onClose(reply.raw, watching.stop);
      const opened = new Stream(beginStream(reply), SLOW_ABOVE_BYTES);
      stream = opened;
      streams.add(opened);
      tell(format('map', { version: watching.map.version }));
      const heartbeat = setInterval(() => tell(':\n\n'), HEARTBEAT_MS);
      onClose(reply.raw, () => {
        clearInterval(heartbeat);
        streams.delete(opened);
      });
    },
  );
};

/** Where everything may be different, the client reads the map again. */
function formatUpdate({ map, changes }: SeatMapUpdate): string {
  const { version } = map;
  return changes === undefined ? format('map', { version }) : format('seats', { version, changes });
}

function format(name: string, data: object): string {
  return `event: ${name}\ndata: ${JSON.stringify(data)}\n\n`;
}
