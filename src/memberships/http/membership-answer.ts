/** Memberships as the API shows them. */
import { type Static, Type } from 'typebox';

export const MembershipAnswer = Type.Object(
  {
    membershipId: Type.String({ description: 'the `referenceId` of its payment, with `paymentType` membership' }),
    status: Type.Unsafe<'pending' | 'paid' | 'active' | 'cancelled'>({
      type: 'string',
      enum: ['pending', 'paid', 'active', 'cancelled'],
    }),
    amount: Type.Integer({ description: 'in the smallest unit of the currency' }),
    currency: Type.String(),
    createdAt: Type.String(),
    startsAt: Type.Optional(Type.String()),
    endsAt: Type.Optional(Type.String()),
  },
  { title: 'Membership' },
);
export type MembershipAnswer = Static<typeof MembershipAnswer>;

const presaleHours = Type.Integer({ description: 'how long before the public sale members can buy' });

export const OfferAnswer = Type.Object(
  {
    amount: Type.Integer({ description: 'in the smallest unit of the currency' }),
    currency: Type.String(),
    days: Type.Integer({ description: 'how long a membership lasts' }),
    presaleHours,
  },
  { title: 'MembershipOffer' },
);
export type OfferAnswer = Static<typeof OfferAnswer>;

export const MembershipsAnswer = Type.Object({
  isMember: Type.Boolean(),
  benefits: Type.Object({ presaleHours }),
  memberships: Type.Array(MembershipAnswer),
});
export type MembershipsAnswer = Static<typeof MembershipsAnswer>;
