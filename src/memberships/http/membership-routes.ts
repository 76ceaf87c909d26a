/** Memberships: subscribe, offer, list. Paid for with the payment endpoints. */
import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import { AppError } from '../../http/errors.ts';
import type { Identity } from '../../identity/identity.ts';
import { requireVisitor } from '../../identity/require-visitor.ts';
import type { Membership, MembershipStore } from '../membership-store.ts';
import { MembershipAnswer, MembershipsAnswer, OfferAnswer } from './membership-answer.ts';

export interface MembershipRoutesOptions {
  memberships: MembershipStore;
  identity: Identity;
  offer: OfferAnswer;
}

export const membershipRoutes: FastifyPluginAsyncTypebox<MembershipRoutesOptions> = async (app, options) => {
  const { memberships, identity, offer } = options;
  const benefits = { presaleHours: offer.presaleHours };
  const schema = { tags: ['shop: memberships'] };
  app.addHook('onRequest', async (_request, reply) => {
    reply.header('cache-control', 'no-store');
  });

  app.post(
    '/memberships/subscribe',
    {
      schema: {
        ...schema,
        operationId: 'subscribeMembership',
        security: [{ user: [] }],
        summary: 'Create a membership to pay for; returns the same one until it is paid',
        response: { 200: MembershipAnswer },
      },
    },
    async (request) => {
      const visitor = requireVisitor(request, identity);
      // A guest exists only as long as the cookie, and so would the membership.
      if (visitor.kind !== 'user') throw new AppError('UNAUTHENTICATED');
      return toAnswer(await memberships.subscribe(visitor.id));
    },
  );

  app.get(
    '/memberships/offer',
    {
      schema: {
        ...schema,
        operationId: 'getMembershipOffer',
        security: [],
        summary: 'Price and benefits of a membership',
        response: { 200: OfferAnswer },
      },
    },
    async () => offer,
  );

  app.get(
    '/memberships/my',
    {
      schema: {
        ...schema,
        operationId: 'listMyMemberships',
        security: [{ visitor: [] }],
        summary: 'Your memberships, and whether one is active',
        response: { 200: MembershipsAnswer },
      },
    },
    async (request) => {
      const { id } = requireVisitor(request, identity);
      const [isMember, mine] = await Promise.all([memberships.isMember(id), memberships.listOf(id)]);
      return { isMember, benefits, memberships: mine.map(toAnswer) };
    },
  );
};

function toAnswer(membership: Membership): MembershipAnswer {
  const { membershipId, state, amount, currency, createdAt, startsAt, endsAt } = membership;
  return {
    ...{ membershipId, status: state, amount, currency, createdAt: new Date(createdAt).toISOString() },
    ...(startsAt === undefined ? {} : { startsAt: new Date(startsAt).toISOString() }),
    ...(endsAt === undefined ? {} : { endsAt: new Date(endsAt).toISOString() }),
  };
}
