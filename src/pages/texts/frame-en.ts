/** The English texts of the frame. */

/** The frame around all pages: footer and error pages. */
export const frame = {
  organiser: 'Organised by {name}',
  contact: 'Contact',
  noContact: 'The organiser has not published contact details.',
  terms: 'Terms of sale',
  refunds: 'Refund policy',
  refundsUntil: 'You can cancel for a refund up to {hours} hours before the event.',
  refundsUntilStart: 'You can cancel for a refund until the event starts.',
  privacy: 'Privacy policy',
  notFoundTitle: 'Page not found',
  notFoundText: 'The link may be old, or the address may have a typo.',
  refusedTitle: 'This request did not work',
  refusedText: 'The address or what was sent to it is not valid. Go back and try again.',
  failedTitle: 'Something went wrong on our side',
  failedText: 'Your tickets and your place in line are safe. Try again in a moment.',
  reference: 'Reference: {id}',
  toEvents: 'See all events',
  toTickets: 'My tickets',
};
export type FrameTexts = Record<keyof typeof frame, string>;
