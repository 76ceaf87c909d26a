/** Memberships. URR sells one per artist, with tiers by points; Fairline sells one for all artists. */
import { answerWith, type Translation } from '../../http/translation.ts';
import type { EventAnswer } from '../../shop/http/event-answer.ts';
import { ALL_ARTISTS, ofArtist } from './events.ts';
import { type Ours, toFields, translate } from './ours.ts';

interface OurMembership {
  membershipId: string;
  status: 'pending' | 'paid' | 'active' | 'cancelled';
  amount: number;
  createdAt: string;
  startsAt?: string;
  endsAt?: string;
}

interface OurMemberships {
  isMember: boolean;
  memberships: OurMembership[];
}

interface Artist {
  id: string;
  name: string;
}

export const membershipTranslations: readonly Translation[] = [
  translate('POST', '/api/v1/memberships/subscribe', async ({ body }, ours) => {
    const artist = await findArtist(String(toFields(body).artistId ?? ALL_ARTISTS.id), ours);
    const { membershipId, amount, status } = await ours.post<OurMembership>('/api/memberships/subscribe');
    return answerWith(200, { membershipId, artistId: artist.id, artistName: artist.name, price: amount, status });
  }),

  translate('GET', '/api/v1/memberships/my', async ({ at }, { get }) => {
    const { memberships } = await get<OurMemberships>('/api/memberships/my');
    return answerWith(200, {
      memberships: memberships.filter(isShown).map((one) => toMembership(one, ALL_ARTISTS, at)),
    });
  }),

  translate('GET', '/api/memberships/my/:artistId', async ({ params, at }, ours) => {
    const { isMember, memberships } = await ours.get<OurMemberships>('/api/memberships/my');
    const current = memberships.find(({ status }) => status === 'active') ?? memberships.find(isShown);
    const benefits = toBenefits(isMember);
    if (current === undefined) return answerWith(200, { membership: {}, pointHistory: [], tier: benefits.tier });
    const artist = await findArtist(params.artistId!, ours);
    return answerWith(200, { membership: toMembership(current, artist, at), pointHistory: [], benefits });
  }),

  translate('GET', '/api/memberships/benefits/:artistId', async (_request, { get }) => {
    const { isMember } = await get<OurMemberships>('/api/memberships/my');
    const { amount } = await get<{ amount: number }>('/api/memberships/offer');
    return answerWith(200, { ...toBenefits(isMember), membership_price: amount });
  }),
];

async function findArtist(artistId: string, { get }: Ours): Promise<Artist> {
  const [event] = artistId === ALL_ARTISTS.id ? [] : ofArtist(await get<EventAnswer[]>('/api/events'), artistId);
  return event === undefined ? ALL_ARTISTS : { id: artistId, name: event.artist };
}

function isShown({ status }: OurMembership): boolean {
  return status !== 'cancelled';
}

function toMembership(
  { membershipId, status, amount, createdAt, startsAt, endsAt }: OurMembership,
  artist: Artist,
  at: number,
) {
  const isOver = endsAt !== undefined && Date.parse(endsAt) <= at;
  const tier = toBenefits(status === 'active' && !isOver).tier;
  return {
    ...{ id: membershipId, artist_id: artist.id, artist_name: artist.name, artist_image_url: null },
    ...{ tier, effective_tier: tier, points: 0, status: isOver ? 'expired' : status, membership_price: amount },
    ...{ joined_at: startsAt ?? createdAt, expires_at: endsAt ?? null },
  };
}

/** The lowest tier of a member, without its fees: Fairline takes none. */
function toBenefits(isMember: boolean) {
  return {
    tier: isMember ? 'SILVER' : 'BRONZE',
    preSalePhase: isMember ? 3 : null,
    preSaleLabel: isMember ? '선예매 3' : '일반예매',
    ...{ bookingFeeSurcharge: 0, transferAccess: true, transferFeePercent: 0, nextTierThreshold: null },
  };
}
