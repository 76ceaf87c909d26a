/**
 * Turns what is known of a visitor's place into the view of the waiting page. Pure, so that the browser and the server
 * (for the page without JavaScript) show the same.
 */
import type { PollAnswer } from '../../../line/http/poll-answer.ts';
import type { EventAnswer } from '../../../shop/http/event-answer.ts';
import type { CommonTexts, WaitingTexts } from '../../texts/en.ts';
import { formatCount, formatDuration, formatPrices, formatTime, formatWait } from '../../texts/format.ts';
import { fill, type Language } from '../../texts/language.ts';
import type { Action, Row, View } from '../page-view.ts';

export type Mode =
  /** No place yet; joining. */
  | 'joining'
  /** Joining; the browser solves a proof of work first. */
  | 'checking'
  | 'waiting'
  /** In a claim room: the visitor may enter now. */
  | 'ready'
  | 'turn'
  /** Inside, and there is no page to go to. */
  | 'in'
  /** The place is lost: left, expired, or the session inside has ended. */
  | 'left'
  | 'gone'
  | 'ended'
  /** An operator ended the place; the visitor may join again. */
  | 'removed'
  /** Joining is not possible. */
  | 'closed'
  | 'no-event'
  | 'sign-in'
  /** The account's e-mail address must be confirmed first. */
  | 'confirm'
  /** Operators have excluded the visitor. */
  | 'banned'
  /** The event is open to some visitors only. */
  | 'not-allowed';

export type Trouble =
  | { kind: 'offline' }
  | { kind: 'lost' }
  | { kind: 'busy'; seconds: number }
  /** Without JavaScript, a proof of work cannot be solved. */
  | { kind: 'unproven'; seconds: number };

/** What the shop says about the event; absent without a shop. */
export interface EventFacts extends Pick<EventAnswer, 'title' | 'currency' | 'prices'> {
  left: number;
}

export interface Known {
  eventId: string;
  mode: Mode;
  room?: Omit<PollAnswer['eventInfo'], 'eventId'>;
  place?: Partial<PollAnswer>;
  /** How many were ahead when this browser first saw the place. */
  firstAhead?: number;
  event?: EventFacts;
  trouble?: Trouble;
  /** Where a visitor who cannot join signs in. */
  page?: string;
}

export interface Words {
  texts: WaitingTexts & Pick<CommonTexts, 'soldOut' | 'free'>;
  language: Language;
  now: number;
  /** `own`: times are in the zone of the reader's device; `said`: the zone is named. */
  zone: 'own' | 'said';
}

export function toView(known: Known, words: Words): View {
  const { texts } = words;
  const { mode, trouble } = known;
  const isWaiting = mode === 'waiting';
  const say = trouble === undefined ? sayOf(known, words) : sayTrouble(trouble, known, texts);
  return {
    documentTitle: documentTitleOf(known, words),
    title: mode === 'in' ? texts.inTitle : texts.title,
    subtitle: known.event?.title,
    number: numberOf(known, words),
    progress: isWaiting ? progressOf(known) : undefined,
    rows: [...(isWaiting ? placeRows(known, words) : []), ...eventRows(known, words)],
    say,
    tone: mode === 'ready' || mode === 'turn' || mode === 'in' ? 'turn' : isBad(known) ? 'warn' : 'calm',
    notes: isWaiting || mode === 'ready' ? notesOf(known, words) : [],
    hint: isWaiting ? hintOf(known, texts) : undefined,
    link: linkOf(known, texts),
    actions: actionsOf(mode),
    joinLabel: mode === 'joining' || mode === 'sign-in' ? texts.join : texts.joinAgain,
  };
}

/** Starts with the number, because a tab shows only the first few letters. */
function documentTitleOf({ mode, place }: Known, { texts, language }: Words): string {
  if (mode === 'ready' || mode === 'turn') return `● ${texts.turnTitle}`;
  if (mode === 'in') return `● ${texts.inTitle}`;
  if (mode !== 'waiting' || place?.peopleAhead === undefined) return texts.title;
  return `${fill(texts.people, { count: formatCount(place.peopleAhead, language) })} · ${texts.title}`;
}

function sayOf(known: Known, words: Words): string {
  const { texts, now } = words;
  switch (known.mode) {
    case 'joining':
      return texts.joining;
    case 'checking':
      return texts.checking;
    case 'ready': {
      const seconds = (Date.parse(known.place?.enterBy ?? '') - now) / 1000;
      return fill(texts.ready, { time: formatDuration(seconds, texts) });
    }
    case 'turn':
      return texts.turn;
    case 'in':
      return texts.in;
    case 'left':
      return texts.left_;
    case 'gone':
      return texts.gone;
    case 'ended':
      return texts.ended;
    case 'removed':
      return texts.removed;
    case 'banned':
      return texts.banned;
    case 'not-allowed':
      return texts.notAllowed;
    case 'closed':
      return texts.closed;
    case 'no-event':
      return texts.noEvent;
    case 'sign-in':
      return texts.signIn;
    case 'confirm':
      return texts.confirm;
    case 'waiting':
      return sayWaiting(known, words);
  }
}

function sayWaiting({ place, room, event }: Known, { texts, language, zone }: Words): string {
  const opensAt = place?.waitUntil ?? room?.opensAt;
  const time = opensAt === undefined ? '' : formatTime(opensAt, language, zone);
  // Before a draw nobody has a number.
  if (isLobby(place)) return fill(texts.lobby, { time });
  if (room?.state === 'closed') return texts.closedWaiting;
  if (room?.state === 'paused') return texts.paused;
  if (room?.state === 'not_open') return fill(texts.notOpen, { time });
  if (room?.soldOut || event?.left === 0) return texts.soldOutWaiting;
  return place?.waitReason === 'no_room' ? texts.noRoom : texts.turnComes;
}

function isLobby(place: Known['place']): boolean {
  return place?.waitReason === 'draw';
}

function sayTrouble(trouble: Trouble, { mode, room }: Known, texts: WaitingTexts): string {
  if (trouble.kind === 'unproven') return fill(texts.plainChecking, { seconds: trouble.seconds });
  if (trouble.kind === 'busy') return fill(texts.busy, { seconds: trouble.seconds });
  const kept = room?.keptSeconds;
  if (trouble.kind === 'offline' && mode === 'waiting' && kept !== undefined && kept > 0) {
    return fill(texts.offline, { time: formatDuration(kept, texts) });
  }
  return texts.trouble;
}

function isBad({ trouble, mode, room, place, event }: Known): boolean {
  if (trouble !== undefined) return true;
  if (mode === 'waiting') {
    const isStill = room?.state === 'paused' || room?.state === 'closed' || place?.waitReason === 'no_room';
    return isStill || event?.left === 0;
  }
  return ['gone', 'ended', 'removed', 'banned', 'not-allowed', 'closed', 'no-event'].includes(mode);
}

function numberOf({ mode, place }: Known, { texts, language }: Words): View['number'] {
  if ((mode !== 'waiting' && mode !== 'ready') || place?.number === undefined) return undefined;
  return { label: texts.number, value: formatCount(place.number, language) };
}

function progressOf({ place, firstAhead }: Known): number | undefined {
  if (place?.peopleAhead === undefined || firstAhead === undefined) return undefined;
  return firstAhead > 0 ? Math.min(1, Math.max(0, 1 - place.peopleAhead / firstAhead)) : 1;
}

function placeRows({ place, room }: Known, { texts, language }: Words): Row[] {
  if (place === undefined) return [];
  const people = (count: number) => fill(texts.people, { count: formatCount(count, language) });
  const rows: Row[] = [];
  if (isLobby(place)) rows.push({ id: 'taking-part', label: texts.takingPart, value: people(place.queueSize ?? 0) });
  if (place.drawLot !== undefined) rows.push({ id: 'lot', label: texts.drawLot, value: place.drawLot });
  if (place.peopleAhead !== undefined) {
    rows.push({ id: 'ahead', label: texts.ahead, value: people(place.peopleAhead) });
    rows.push({ id: 'behind', label: texts.behind, value: people(place.peopleBehind ?? 0) });
  }
  // A room that admits nobody has no meaningful estimate.
  if (room?.state === 'open' && place.peopleAhead !== undefined) {
    const range = place.estimatedWaitRange;
    const value = range === undefined ? texts.unknown : formatWait(range, texts);
    rows.push({ id: 'time', label: texts.time, value });
  }
  if (place.currentUsers !== undefined && place.threshold !== undefined) {
    const value = `${formatCount(place.currentUsers, language)} / ${formatCount(place.threshold, language)}`;
    rows.push({ id: 'inside', label: texts.inside, value });
  }
  return rows;
}

function eventRows({ mode, event }: Known, { texts, language }: Words): Row[] {
  if (event === undefined || !['waiting', 'joining', 'checking'].includes(mode)) return [];
  const rows: Row[] = [];
  if (event.prices !== null) {
    const { low, high } = event.prices;
    const value = high === 0 ? texts.free : formatPrices(low, high, event.currency, language);
    rows.push({ id: 'prices', label: texts.prices, value });
  }
  const left = event.left === 0 ? texts.soldOut : formatCount(event.left, language);
  return [...rows, { id: 'left', label: texts.left, value: left }];
}

function notesOf({ room, place }: Known, { texts, language }: Words): string[] {
  const message = room?.message?.[language] ?? room?.message?.ko ?? room?.message?.en;
  const change = place?.waitChange;
  const notes: string[] = [];
  if (message !== undefined) notes.push(message);
  if (room?.priorityShare !== undefined) {
    notes.push(fill(place?.lane === 'priority' ? texts.goesFirst : texts.membersFirst, { share: room.priorityShare }));
  }
  // The note on members covers `lanes`.
  if (change !== undefined && change !== 'lanes' && room?.state === 'open') notes.push(texts[change]);
  return notes;
}

function hintOf({ room }: Known, texts: WaitingTexts): string | undefined {
  const kept = room?.keptSeconds;
  if (kept === undefined) return undefined;
  return kept === 0 ? texts.keepsNot : fill(texts.keeps, { time: formatDuration(kept, texts) });
}

/** Where to sign in; where to go once inside; and visitors who took part in a draw can verify it. */
function linkOf({ eventId, mode, place, page }: Known, texts: WaitingTexts): View['link'] {
  if (page !== undefined && mode === 'sign-in') return { href: page, label: texts.signInLink };
  if (mode === 'in') return { href: '/', label: texts.home };
  if (page !== undefined && mode === 'confirm') return { href: page, label: texts.confirmLink };
  if (mode !== 'waiting' || place?.drawLot === undefined) return undefined;
  return { href: `/draw/${eventId}`, label: texts.drawCheck };
}

function actionsOf(mode: Mode): Action[] {
  if (mode === 'waiting') return ['alert', 'leave'];
  if (mode === 'ready') return ['enter', 'leave'];
  return ['left', 'gone', 'ended', 'removed'].includes(mode) ? ['join'] : [];
}
