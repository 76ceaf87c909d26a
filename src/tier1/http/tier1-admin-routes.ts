/** Operator endpoints of tier 1: activate, deactivate, advance, status. */
import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import type { FastifyRequest } from 'fastify';
import { Type } from 'typebox';
import { AppError } from '../../http/errors.ts';
import { EventParams } from '../../http/event-params.ts';
import type { Operators } from '../../identity/operators.ts';
import type { CounterCache } from '../counter-cache.ts';
import type { Counters, Pace } from '../model/counters.ts';
import { countWaiting } from '../model/counters.ts';
import type { Tier1Store } from '../store/tier1-store.ts';
import type { Switching, SwitchOutcome } from '../switching.ts';

export interface Tier1AdminOptions {
  store: Tier1Store;
  counters: CounterCache;
  switching: Switching;
  operators: Operators;
  pace: Pace;
}

const Tier1StatusAnswer = Type.Object(
  {
    eventId: Type.String(),
    isActive: Type.Boolean(),
    state: Type.String(),
    nextPosition: Type.Integer({ description: 'the last number assigned' }),
    servingCounter: Type.Integer({ description: 'the last number whose turn has come' }),
    waitingCount: Type.Integer(),
  },
  { title: 'Tier1Status' },
);

const AdvanceBody = Type.Object(
  { batchSize: Type.Optional(Type.Integer({ minimum: 1, maximum: 10_000_000 })) },
  { additionalProperties: false },
);

export const tier1AdminRoutes: FastifyPluginAsyncTypebox<Tier1AdminOptions> = async (app, options) => {
  const { store, counters, switching, operators, pace } = options;
  const schema = {
    tags: ['operators: tier 1'],
    security: [{ operator: [] }],
    params: EventParams,
    response: { 200: Tier1StatusAnswer },
  };
  app.addHook('onRequest', async (request) => operators.require(request));

  app.get(
    '/admin/vwr/status/:eventId',
    { schema: { ...schema, operationId: 'getTier1', summary: 'Status of tier 1 for an event' } },
    async (request) => {
      const { eventId } = request.params;
      return toAnswer(eventId, await store.findCounters(eventId));
    },
  );

  app.post(
    '/admin/vwr/activate/:eventId',
    {
      schema: {
        ...schema,
        operationId: 'activateTier1',
        errors: ['EVENT_NOT_FOUND'],
        summary: 'Activate tier 1: it assigns numbers from now on and continues those of the line',
      },
    },
    (request) => carryOut('activate vwr', request, (eventId) => switching.activate(eventId)),
  );

  app.post(
    '/admin/vwr/deactivate/:eventId',
    {
      schema: {
        ...schema,
        operationId: 'deactivateTier1',
        errors: ['EVENT_NOT_FOUND'],
        summary: 'Deactivate tier 1: everyone may pass; later visitors queue behind them in the line',
      },
    },
    (request) => carryOut('deactivate vwr', request, (eventId) => switching.deactivate(eventId)),
  );

  app.post(
    '/admin/vwr/advance/:eventId',
    {
      schema: {
        ...schema,
        operationId: 'advanceTier1',
        errors: ['VWR_NOT_ACTIVE'],
        summary: 'Advance the serving counter at once, never past the last number assigned',
        body: Type.Union([AdvanceBody, Type.Null()]),
      },
    },
    async (request) => {
      const { eventId } = request.params;
      const before = await store.findCounters(eventId);
      if (before?.state !== 'active') throw new AppError('VWR_NOT_ACTIVE');
      const by = request.body?.batchSize ?? pace.batchSize;
      const after = await store.advanceTo(eventId, before.servingCounter + by);
      counters.forget(eventId);
      await audit('advance vwr', request, { by, from: before.servingCounter, to: after!.servingCounter });
      return toAnswer(eventId, after);
    },
  );

  async function carryOut(action: string, request: FastifyRequest, work: (eventId: string) => Promise<SwitchOutcome>) {
    const { eventId } = request.params as { eventId: string };
    const outcome = await work(eventId);
    counters.forget(eventId);
    if (outcome.outcome === 'no-room') {
      throw new AppError('EVENT_NOT_FOUND', {
        message: `There is no room for the event ${eventId}. Create it with PUT /api/admin/rooms/${eventId}.`,
      });
    }
    await audit(action, request, { outcome: outcome.outcome, nextPosition: outcome.counters?.nextPosition ?? 0 });
    return toAnswer(eventId, outcome.counters);
  }

  function audit(action: string, request: FastifyRequest, details: Record<string, unknown>): Promise<void> {
    const { eventId } = request.params as { eventId: string };
    return operators.audit(request, { action, eventId, details });
  }
};

function toAnswer(eventId: string, counters: Counters | undefined) {
  if (counters === undefined) {
    return { eventId, isActive: false, state: 'inactive', nextPosition: 0, servingCounter: 0, waitingCount: 0 };
  }
  const { state, nextPosition, servingCounter } = counters;
  const isActive = state !== 'inactive';
  return {
    eventId,
    isActive,
    state,
    nextPosition,
    servingCounter,
    waitingCount: isActive ? countWaiting(counters) : 0,
  };
}
