/** What waiting visitors ask, and the answers, in English. `q` and `a` with the same number belong together. */
export const questions = {
  title: 'Questions',
  q1: 'Am I still in line?',
  a1: 'Yes, as long as this page shows your number. If the connection drops, your place stays yours and the page reconnects automatically.',
  q2: 'How long will it take?',
  a2: 'The time above is worked out from how fast people are admitted right now. It is updated all the time and becomes more exact as you move up.',
  q3: 'Can I close this page?',
  q4: 'What if my phone dies?',
  a4: 'Nothing is lost at once. Charge it and open this page again in the same browser in time. On another device you would get a new number.',
  q5: 'Could it sell out before my turn?',
  a5: 'Yes, a place in line is not a ticket. This page says so as soon as everything is sold. Returned tickets are offered in line order.',
  q6: 'Is this fair?',
  a6: 'Everyone has one place, and the order never changes. Reloading, more tabs or more devices do not move you forward.',
  q7: 'Is this safe?',
  a7: 'Yes. This page asks for no password and no payment. You pay only after your turn, on this site: check the address in the address bar.',
  q8: 'Who can I contact?',
  a8: 'The organiser: {contact}. Please have your number at hand.',
  a8None: 'The organiser has not published contact details.',
  q9: 'Where will my ticket be?',
  a9: 'Under “My tickets” on this site, as soon as you have paid. On another device you find it with your booking code and email.',
  q10: 'Can I get my money back?',
  a10: 'Yes: cancel under “My tickets” until {time} for a full refund.',
  a10Over: 'No. The deadline for refunds of this event has passed.',
};

export type QuestionTexts = Record<keyof typeof questions, string>;
