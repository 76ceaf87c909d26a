import { describe, expect, it } from 'vitest';
import * as en from '../../src/pages/texts/en.ts';
import * as ko from '../../src/pages/texts/ko.ts';
import { type Known, toView } from '../../src/pages/waiting/line/line-view.ts';

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
