/** URR's front end after a purchase: memberships and transfers. Kept so far: `reservation` of ann, `artist`. */
import type { Exchange } from '../contract.ts';
import { filledText, is, isoTime, listOf, matching, nothing, whole } from '../shapes.ts';

const transfer = {
  ...{ id: filledText, original_price: is(50_000), transfer_fee: is(0), transfer_fee_percent: is(0) },
  ...{ total_price: is(50_000), event_title: is('Concert'), event_date: isoTime, venue: is('Hall') },
  ...{ artist_name: is('The Band'), seats: matching(/^A-1-1$/) },
};
const membership = {
  ...{ id: filledText, artist_id: filledText, artist_name: filledText, points: whole, membership_price: whole },
  ...{ joined_at: isoTime },
};

export const memberships: readonly Exchange[] = [
  {
    name: 'asks for the membership of an artist before there is one',
    request: { method: 'GET', path: '/api/v1/memberships/my/{artist}', as: 'user:ann' },
    answer: { status: 200, body: { membership: {}, pointHistory: listOf({}), tier: is('BRONZE') } },
    next: 'offers a membership, because membership has no id',
  },
  {
    name: 'subscribes',
    request: { method: 'POST', path: '/api/v1/memberships/subscribe', as: 'user:ann', body: { artistId: '{artist}' } },
    answer: {
      status: 200,
      body: { membershipId: filledText, artistName: is('The Band'), price: whole, status: is('pending') },
    },
    keep: { membership: 'membershipId' },
    next: 'opens the page of the payment',
  },
  {
    name: 'reads the price',
    request: { method: 'GET', path: '/api/v1/memberships/benefits/{artist}', as: 'user:ann' },
    answer: { status: 200, body: { membership_price: whole, tier: is('BRONZE') } },
    next: 'shows it, and does not trust the one in the URL',
  },
  {
    name: 'pays for the membership',
    request: {
      ...{ method: 'POST', path: '/api/v1/payments/process', as: 'user:ann' },
      body: { paymentMethod: 'naver_pay', paymentType: 'membership', referenceId: '{membership}' },
    },
    answer: { status: 200, body: { success: is(true) } },
    next: 'opens the page of the artist',
  },
  {
    name: 'lists the memberships',
    request: { method: 'GET', path: '/api/v1/memberships/my', as: 'user:ann' },
    until: true,
    answer: {
      status: 200,
      body: {
        memberships: listOf(
          { ...membership, status: is('active'), effective_tier: is('SILVER'), expires_at: isoTime },
          { min: 1 },
        ),
      },
    },
    next: 'shows the tier and the end',
  },
  {
    name: 'asks for the membership of an artist',
    request: { method: 'GET', path: '/api/v1/memberships/my/{artist}', as: 'user:ann' },
    answer: {
      status: 200,
      body: {
        membership: { ...membership, artist_name: is('The Band'), status: is('active') },
        benefits: { tier: is('SILVER') },
      },
    },
    next: 'shows the tier instead of the offer',
  },
];

export const transfers: readonly Exchange[] = [
  {
    name: 'offers a ticket for transfer',
    request: { method: 'POST', path: '/api/v1/transfers', as: 'user:ann', body: { reservationId: '{reservation}' } },
    answer: { status: 200, body: { message: filledText, transfer: { ...transfer, status: is('listed') } } },
    keep: { transfer: 'transfer.id' },
    next: 'reads the list of offers again',
  },
  {
    name: 'lists offers to their seller',
    request: { method: 'GET', path: '/api/v1/transfers?artistId={artist}', as: 'user:ann' },
    answer: { status: 200, body: { transfers: listOf({ ...transfer, seller_id: is('ann') }, { min: 1 }) } },
    next: 'marks those whose seller_id is the id of the user as their own',
  },
  {
    name: 'lists offers to others',
    request: { method: 'GET', path: '/api/v1/transfers', as: 'user:bob' },
    answer: {
      status: 200,
      body: { transfers: listOf({ ...transfer, seller_id: is('') }, { min: 1 }), pagination: { total: is(1) } },
    },
    next: 'offers to buy each',
  },
  {
    name: 'lists offers only to users',
    request: { method: 'GET', path: '/api/v1/transfers' },
    answer: { status: 401, body: { message: filledText } },
    next: 'shows the sign-in',
  },
  {
    name: 'opens an offer',
    request: { method: 'GET', path: '/api/v1/transfers/{transfer}', as: 'user:bob' },
    answer: { status: 200, body: { transfer: { ...transfer, status: is('listed'), buyer_id: nothing } } },
    next: 'shows the price and the methods of payment',
  },
  {
    name: 'buys an offer',
    request: {
      ...{ method: 'POST', path: '/api/v1/payments/process', as: 'user:bob' },
      body: { paymentMethod: 'bank_transfer', paymentType: 'transfer', referenceId: '{transfer}' },
    },
    answer: { status: 200, body: { success: is(true) } },
    next: 'shows that the purchase is complete',
  },
  {
    name: 'shows the seller that it is sold',
    request: { method: 'GET', path: '/api/v1/transfers/my', as: 'user:ann' },
    until: true,
    answer: {
      status: 200,
      body: { transfers: listOf({ ...transfer, status: is('completed'), completed_at: isoTime }, { min: 1 }) },
    },
    next: 'shows it as handed over',
  },
];
