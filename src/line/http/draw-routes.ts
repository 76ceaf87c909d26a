/** The public data of a draw: its commitment from the start, and everything needed to verify it once it is done. */
import { Readable } from 'node:stream';
import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import type { FastifyRequest } from 'fastify';
import { Type } from 'typebox';
import { AppError } from '../../http/errors.ts';
import { EventParams } from '../../http/event-params.ts';
import { addressKey, type RateLimit } from '../../platform/rate-limit.ts';
import { DRAW_RULE, toLines } from '../draw/draw.ts';
import type { DrawAnnouncement, DrawResult, Draws } from '../store/draws.ts';
import type { Rooms } from '../store/rooms.ts';
import { noRoom } from './doorway.ts';

export interface DrawRoutesOptions {
  draws: Pick<Draws, 'findDraw' | 'readDrawEntries'>;
  rooms: Pick<Rooms, 'findRoom'>;
  listsPerAddress: RateLimit;
}

const Sha256 = (description: string) => Type.String({ pattern: '^[0-9a-f]{64}$', description });

const DrawAnswer = Type.Object(
  {
    eventId: Type.String(),
    order: Type.Literal('draw'),
    state: Type.Union([Type.Literal('announced'), Type.Literal('drawing'), Type.Literal('drawn')]),
    opensAt: Type.String({ description: 'when the draw is held' }),
    commitment: Sha256('SHA-256 of the seed, published from the start'),
    rule: Type.String({ description: 'how the order is computed from the seed and the list' }),
    seed: Type.Optional(Sha256('32 bytes in hex, once the draw is done')),
    listHash: Type.Optional(Sha256('SHA-256 of the list of lots')),
    entries: Type.Optional(Type.Integer({ description: 'how many took part' })),
    firstNumber: Type.Optional(Type.Integer({ description: 'the number of the first lot' })),
    drawnAt: Type.Optional(Type.String()),
    entriesUrl: Type.Optional(Type.String({ description: 'the list: one lot per line, ascending' })),
  },
  { title: 'Draw' },
);

const ListQuery = Type.Object(
  { listHash: Type.Optional(Sha256('the list that is wanted')) },
  { additionalProperties: false },
);

/** The same for everyone, so a cache may serve a crowd. */
const BRIEFLY = 'public, max-age=1';
/** A list that is named by its hash never changes. */
const IMMUTABLE = 'public, max-age=31536000, immutable';
/** 160 KB of text. */
const LOTS_PER_PAGE = 5_000;

export const drawRoutes: FastifyPluginAsyncTypebox<DrawRoutesOptions> = async (app, options) => {
  const schema = { tags: ['draw'], params: EventParams };

  app.get(
    '/rooms/:eventId/draw',
    {
      schema: {
        ...schema,
        operationId: 'getDraw',
        security: [],
        errors: ['EVENT_NOT_FOUND', 'NO_DRAW'],
        summary: 'The draw of a room and everything needed to verify it',
        response: { 200: DrawAnswer },
      },
    },
    async (request, reply) => {
      const { eventId } = request.params;
      const draw = await getDraw(options, eventId);
      reply.header('cache-control', BRIEFLY);
      return toDrawAnswer(eventId, draw);
    },
  );

  app.get(
    '/rooms/:eventId/draw/entries',
    {
      schema: {
        ...schema,
        operationId: 'listDrawEntries',
        security: [],
        errors: ['EVENT_NOT_FOUND', 'NO_DRAW', 'DRAW_NOT_DONE', 'RATE_LIMITED'],
        summary: 'All lots of the draw: one per line, ascending',
        querystring: ListQuery,
        response: { 200: { content: { 'text/plain': { schema: Type.Unsafe<Readable>({ type: 'string' }) } } } },
      },
    },
    async (request, reply) => {
      const { eventId } = request.params;
      const { listHash } = request.query;
      const draw = await getDraw(options, eventId);
      if (draw.phase !== 'drawn') throw new AppError('DRAW_NOT_DONE');
      if (listHash !== undefined && listHash !== draw.listHash) throw new AppError('NOT_FOUND');
      countDownload(request);
      reply.header('cache-control', listHash === undefined ? BRIEFLY : IMMUTABLE);
      return reply.type('text/plain; charset=utf-8').send(Readable.from(readLines(options.draws, eventId, draw)));
    },
  );

  /** A list of a million lots is 32 MB. Caches keep it; without one in front, each download is read from the store. */
  function countDownload({ ip }: FastifyRequest): void {
    const address = addressKey(ip);
    const retryAfterSeconds = options.listsPerAddress.secondsToWait(address);
    if (retryAfterSeconds > 0) throw new AppError('RATE_LIMITED', { retryAfterSeconds });
    options.listsPerAddress.count(address);
  }
};

async function getDraw(
  { draws, rooms }: Pick<DrawRoutesOptions, 'draws' | 'rooms'>,
  eventId: string,
): Promise<DrawAnnouncement> {
  const draw = await draws.findDraw(eventId);
  if (draw !== undefined) return draw;
  if ((await rooms.findRoom(eventId)) === undefined) throw noRoom(eventId);
  throw new AppError('NO_DRAW');
}

function toDrawAnswer(eventId: string, draw: DrawAnnouncement) {
  const { phase, opensAt, commitment } = draw;
  const announced = { eventId, order: 'draw' as const, state: phase, opensAt, commitment, rule: DRAW_RULE };
  if (draw.phase !== 'drawn') return announced;
  const { seed, listHash, entries, firstNumber } = draw;
  const drawnAt = new Date(draw.drawnAt).toISOString();
  const entriesUrl = `/api/rooms/${eventId}/draw/entries?listHash=${listHash}`;
  return { ...announced, seed, listHash, entries, firstNumber, drawnAt, entriesUrl };
}

/** Page by page, as fast as the client reads. Breaks off if the room is cleared meanwhile. */
async function* readLines(draws: DrawRoutesOptions['draws'], eventId: string, { entries }: DrawResult) {
  for (let from = 0; from < entries; from += LOTS_PER_PAGE) {
    const lots = await draws.readDrawEntries(eventId, from, Math.min(LOTS_PER_PAGE, entries - from));
    if (lots.length === 0) throw new Error(`draw of ${eventId}: the list was removed while it was being read`);
    yield toLines(lots);
  }
}
