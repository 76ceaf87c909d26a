/** Memberships: subscribing, and what one has. It is paid for like anything else. */
import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import { AppError } from '../../http/errors.ts';
import type { Identity } from '../../identity/identity.ts';
import { requireKnown } from '../../identity/require-known.ts';
import type { Membership, MembershipStore } from '../membership-store.ts';
import { MembershipAnswer, MembershipsAnswer, OfferAnswer } from './membership-answer.ts';

export interface MembershipsDoorOptions {
  memberships: MembershipStore;
  identity: Identity;
  offer: OfferAnswer;
}

export const membershipRoutes: FastifyPluginAsyncTypebox<MembershipsDoorOptions> = async (app, options) => {
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
        summary: 'The membership to pay for; asking again gives the same until it is paid',
        response: { 200: MembershipAnswer },
      },
    },
    async (request) => {
      const visitor = requireKnown(request, identity);
      // A guest is gone with the cookie, and the membership would be too.
      if (visitor.kind !== 'user') throw new AppError('UNAUTHENTICATED');
      return toAnswer(await memberships.subscribe(visitor.id));
    },
  );

  app.get(
    '/memberships/offer',
    { schema: { ...schema, summary: 'What a membership costs and gives', response: { 200: OfferAnswer } } },
    async () => offer,
  );

  app.get(
    '/memberships/my',
    {
      schema: {
        ...schema,
        summary: 'One’s memberships, and whether one is a member now',
        response: { 200: MembershipsAnswer },
      },
    },
    async (request) => {
      const { id } = requireKnown(request, identity);
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
