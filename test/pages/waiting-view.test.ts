import { describe, expect, it } from 'vitest';
import * as en from '../../src/pages/texts/en.ts';
import * as ko from '../../src/pages/texts/ko.ts';
import { type Known, toView } from '../../src/pages/waiting/line/line-view.ts';
import { hasQuestions } from '../../src/pages/waiting/page-view.ts';
import { toAnswers } from '../../src/pages/waiting/questions.ts';

function notesOf(known: Partial<Known>, language: 'ko' | 'en' = 'en'): string[] {
  const { common, waiting } = { ko, en }[language];
  const room = { state: 'open' as const, keptSeconds: 300, ...known.room };
  const words = { texts: { ...common, ...waiting }, language, now: 0, zone: 'own' as const, origin: '' };
  return toView({ eventId: 'concert', mode: 'waiting', ...known, room }, words).notes;
}

const room = { state: 'open' as const, keptSeconds: 300, priorityShare: 20 };

describe('the waiting page of a room with a member lane', () => {
  it('tells members that they are in the lane, and others what share goes to members', () => {
    expect(notesOf({ room, place: { lane: 'priority' } })).toEqual([
      'You are in the member lane: 20 % of places go to members first while others are waiting.',
    ]);
    const [note, ...more] = notesOf({ room, place: { waitChange: 'lanes' } });
    expect(note).toBe(
      '20 % of places go to members first. The number of people ahead of you may grow when members join.',
    );
    expect(more).toEqual([]);
    expect(notesOf({ room, place: { lane: 'priority' } }, 'ko')[0]).toContain('회원 우선 대기열');
    expect(notesOf({ room, place: {} }, 'ko')[0]).toContain('20%');
  });

  it('does not mention members in a room without a lane', () => {
    expect(notesOf({ place: {} })).toEqual([]);
  });
});

describe('the waiting page of a room that asks for accounts', () => {
  const viewOf = (known: Partial<Known>) =>
    toView(
      { eventId: 'concert', mode: 'sign-in', ...known },
      { texts: { ...en.common, ...en.waiting }, language: 'en', now: 0, zone: 'own', origin: '' },
    );

  it('leads to the page where the visitor can sign in, if there is one', () => {
    expect(viewOf({ page: '/sign-in?to=%2Fqueue%2Fconcert' }).link).toEqual({
      href: '/sign-in?to=%2Fqueue%2Fconcert',
      label: 'Sign in',
    });
    expect(viewOf({}).link).toBeUndefined();
  });

  it('tells a user to confirm the e-mail address', () => {
    const { say, link } = viewOf({ mode: 'confirm', page: '/me' });
    expect(say.text).toContain('confirmed e-mail address');
    expect(link).toEqual({ href: '/me', label: 'Your account' });
  });
});

describe('the waiting page of an event', () => {
  const event = {
    ...{ title: 'Spring night', venue: 'Hall', currency: 'KRW', prices: null, left: 5, phase: 'on-sale' as const },
    ...{ refundUntil: '2100-04-30T10:00:00Z', timeZone: 'Asia/Seoul' },
  };
  const viewOf = (known: Partial<Known>, texts = en) =>
    toView(
      { eventId: 'concert', mode: 'waiting', event, ...known },
      { texts: { ...texts.common, ...texts.waiting }, language: 'en', now: 0, zone: 'own', origin: '' },
    );

  it.each([
    ['cancelled', 'Event cancelled', 'All payments are refunded'],
    ['ended', 'Sales have ended', 'Ticket sales for this event have ended'],
    ['on-sale', 'The line has closed', 'No more visitors are admitted'],
  ] as const)('says why nobody is admitted when it is %s, and leads to the event', (phase, title, text) => {
    const view = viewOf({ event: { ...event, phase }, room: { state: 'closed', keptSeconds: 300 } });
    expect(view.say).toMatchObject({ kind: 'closed', title });
    expect(view.say.text).toContain(text);
    expect(view.link).toEqual({ href: '/events/concert', label: 'Go to the event page' });
    expect(hasQuestions(view)).toBe(false);
  });

  it('leads out of a line that was left: to the event, else to the site', () => {
    expect(viewOf({ mode: 'left' }).link?.href).toBe('/events/concert');
    const view = toView(
      { eventId: 'concert', mode: 'no-event' },
      { texts: { ...en.common, ...en.waiting }, language: 'en', now: 0, zone: 'own', origin: '' },
    );
    expect(view.link).toEqual({ href: '/', label: 'Go to the site' });
  });

  it('promises no wait when everything is sold', () => {
    const place = { peopleAhead: 3, estimatedWait: 60, estimatedWaitRange: { low: 60, high: 90 } };
    const known = { room: { state: 'open' as const, keptSeconds: 300 }, place };
    expect(viewOf(known).facts).toHaveLength(2);
    expect(viewOf({ ...known, event: { ...event, left: 0 } }).facts).toEqual([]);
  });

  it('answers where the ticket is, who can help and until when there is a refund', () => {
    const { refund, hint } = viewOf({});
    const answersFor = (contact: string | undefined, isSold = true) =>
      toAnswers(en.questions, { keeps: hint, contact, refund: isSold ? refund : undefined }).map(
        ({ answer }) => answer,
      );
    expect(answersFor('02-1234-5678')).toEqual(
      expect.arrayContaining([
        'The organiser: 02-1234-5678. Please have your number at hand.',
        expect.stringMatching(/until Friday, April 30, 2100 at 7:00\sPM/),
      ]),
    );
    expect(answersFor(undefined)).toContain('The organiser has not published contact details.');
    expect(answersFor(undefined, false)).toHaveLength(8);
    expect(
      toAnswers(en.questions, { keeps: hint, contact: undefined, refund: { until: '', isOver: true } }).at(-1),
    ).toEqual({
      question: 'Can I get my money back?',
      answer: 'No. The deadline for refunds of this event has passed.',
    });
  });
});
