/** The texts in English. The other languages have the same keys; `{word}` is filled in where it is shown. */

export const common = {
  brand: 'Fairline',
  language: '한국어',
  trouble: 'The connection is unsteady. We go on trying by ourselves.',
  busy: 'Many are asking right now. Trying again in {seconds} s.',
  soldOut: 'Sold out',
  free: 'Free',
};

export const waiting = {
  title: 'Waiting room',
  number: 'Your number',
  ahead: 'People ahead of you',
  behind: 'People behind you',
  time: 'Expected wait',
  inside: 'Inside now / limit',
  prices: 'Prices',
  left: 'Tickets left',
  progress: 'Progress since you joined',
  people: '{count}',
  minute: 'less than a minute',
  minutes: 'about {count} min',
  minutesRange: '{low} to {high} min',
  hours: '{hours} h {minutes} min',
  hoursRange: '{low} to {high}',
  unknown: 'not known yet',
  joining: 'Taking your place in line…',
  turnComes: 'You go in automatically when it is your turn.',
  turn: 'It is your turn. Taking you in…',
  notOpen: 'The sale opens {time}. You keep your place until then.',
  lobby: 'Places are drawn {time}. Your chance does not depend on when you came.',
  paused: 'Nobody is being let in right now. You keep your place; it goes on by itself.',
  noRoom: 'The line stands still for the moment. You keep your place.',
  closed: 'This waiting room is closed.',
  closedWaiting: 'The waiting room has closed. Nobody else is let in.',
  soldOutWaiting:
    'Everything is sold or being paid for right now. Tickets that come back go to those who wait, in order.',
  slower: 'It takes longer than expected, because people take longer to choose.',
  limit: 'It takes longer than expected, because fewer people are let in at a time.',
  resumed: 'It goes on; the time is worked out anew.',
  ready: 'It is your turn. Go in within {time}, or your place goes to the next.',
  enter: 'Go in now',
  gone: 'Your place is gone, because there was no sign of life from this page for too long.',
  ended: 'Your time inside is over.',
  left_: 'You have given up your place.',
  join: 'Join the line',
  joinAgain: 'Join the line again',
  leave: 'Give up my place',
  leaveQuestion: 'Give up your place?',
  leaveWarning: 'It goes to the next person. Joining again puts you at the end of the line.',
  leaveYes: 'Give it up',
  leaveNo: 'Stay in line',
  alertAsk: 'Tell me when it is my turn',
  alertOn: 'You will be told by sound and notification',
  alertSilent: 'You will be told by sound',
  keeps:
    'You may close this page or let the device sleep for {time}: open it again in this browser and you have the same place.',
  keepsNot: 'Keep this page open: closing it gives up your place.',
  trouble: 'The connection is gone. You keep your place; we go on trying by ourselves.',
  offline: 'This device is offline. You keep your place for {time}.',
  busy: 'Many are asking right now. Trying again in {seconds} s.',
  noEvent: 'There is no such event here.',
  signIn: 'Please sign in to join this line.',
  plainStay: 'This page reloads by itself and takes you in when it is your turn.',
  plainJoin: 'Once you have a place, the page reloads by itself until it is your turn.',
  durationMinutes: '{count} min',
  durationSeconds: '{count} s',
  turnTitle: 'Your turn',
};

export const edge = {
  title: 'Waiting room',
  taking: 'Taking a number…',
  working: 'One moment, your browser is being checked. Please keep this page open…',
  turn: 'It is your turn. Taking you on…',
  waiting: 'You go on automatically when it is your turn.',
  trouble: 'The connection is unsteady. You keep your number; we go on trying.',
  hint: 'You may close this page or let the device sleep: open it again in this browser and you have the same number. There is no need to reload.',
  take: 'Take a number',
  plainTake: 'Once you have a number, the page reloads by itself until it is your turn.',
  plainStay: 'This page reloads by itself and takes you on when it is your turn.',
};

export type CommonTexts = Record<keyof typeof common, string>;
export type WaitingTexts = Record<keyof typeof waiting, string>;
export type EdgeTexts = Record<keyof typeof edge, string>;

export { type AdminTexts, admin, type SettingTexts, settings } from './admin-en.ts';
