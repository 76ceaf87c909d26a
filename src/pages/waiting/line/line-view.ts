/**
 * Turns what is known of a visitor's place into the view of the waiting page. Pure, so that the browser and the server
 * (for the page without JavaScript) show the same.
 */
import type { PollAnswer } from '../../../line/http/poll-answer.ts';
import type { EventAnswer } from '../../../shop/http/event-answer.ts';
import type { CommonTexts, WaitingTexts } from '../../texts/en.ts';
import { formatEventTime } from '../../texts/event-time.ts';
import {
  formatClock,
  formatCount,
  formatCountdown,
  formatDuration,
  formatPrices,
  formatTime,
  formatUntil,
  formatWait,
} from '../../texts/format.ts';
import { fill, type VisitorLanguage } from '../../texts/language.ts';
import { toCalendarUrl } from '../calendar-file.ts';
import type { Action, Hero, Kind, Row, View } from '../page-view.ts';

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
export interface EventFacts
  extends Pick<EventAnswer, 'title' | 'venue' | 'currency' | 'prices' | 'phase' | 'refundUntil' | 'timeZone'> {
  left: number;
}

export interface Known {
  eventId: string;
  mode: Mode;
  room?: Omit<PollAnswer['eventInfo'], 'eventId'>;
  place?: Partial<PollAnswer>;
  /** When the server last said something. */
  heardAt?: number;
  /** Share of the wait that is over, since this browser first saw the place. */
  progress?: number;
  /** Whether the page has shown a shorter wait before; undefined if that is not known. */
  hasRisen?: boolean;
  event?: EventFacts;
  trouble?: Trouble;
  /** Where a visitor who cannot join signs in. */
  page?: string;
}

export interface Words {
  texts: WaitingTexts & Pick<CommonTexts, 'soldOut' | 'free'>;
  language: VisitorLanguage;
  now: number;
  /** `own`: times are in the zone of the reader's device, and count down; `said`: the zone is named. */
  zone: 'own' | 'said';
  /** The origin of the site, for links outside the page. */
  origin: string;
}

/** There is nothing to wait for here. */
const OUT: readonly Mode[] = ['left', 'closed', 'no-event', 'banned', 'not-allowed'];

/** As long as the line reports what has changed, and some. */
const OPENING_MS = 90_000;

export function toView(known: Known, words: Words): View {
  const { texts } = words;
  const { mode, event, eventId } = known;
  const isWaiting = mode === 'waiting';
  const isTurn = mode === 'ready' || mode === 'turn' || mode === 'in';
  const turnTitle = mode === 'in' ? texts.inTitle : texts.turnTitle;
  return {
    documentTitle: documentTitleOf(known, words),
    eyebrow: isTurn ? event?.title : event && texts.title,
    title: isTurn ? turnTitle : (event?.title ?? texts.title),
    subtitle: isTurn ? undefined : event?.venue || undefined,
    posterOf: event && eventId,
    hero: heroOf(known, words),
    progress: isWaiting && opensAtOf(known) === undefined ? known.progress : undefined,
    facts: isWaiting ? waitFacts(known, words) : [],
    say: sayAll(known, words),
    updated: isWaiting ? sayUpdated(known, words) : undefined,
    notes: isWaiting || mode === 'ready' ? notesOf(known, words) : [],
    rows: [...(isWaiting ? placeRows(known, words) : []), ...eventRows(known, words)],
    number: numberOf(known, words),
    hint: isWaiting ? hintOf(known, texts) : undefined,
    link: linkOf(known, texts),
    reminder: isWaiting ? reminderOf(known, words) : undefined,
    actions: actionsOf(mode),
    refund: refundOf(event, words),
    joinLabel: mode === 'joining' || mode === 'sign-in' ? texts.join : texts.joinAgain,
    isTurn,
  };
}

/** Starts with the number, because a tab shows only the first few letters. */
function documentTitleOf({ mode, place }: Known, { texts, language }: Words): string {
  if (mode === 'ready' || mode === 'turn') return `● ${texts.turnTitle}`;
  if (mode === 'in') return `● ${texts.inTitle}`;
  if (mode !== 'waiting' || place?.peopleAhead === undefined) return texts.title;
  return `${fill(texts.people, { count: formatCount(place.peopleAhead, language) })} · ${texts.title}`;
}

/** A page that the server renders cannot count down: it says the time instead. */
function heroOf(known: Known, { texts, language, now, zone }: Words): Hero | undefined {
  const { mode, place } = known;
  if (mode === 'ready' && zone === 'own') {
    const value = formatCountdown((Date.parse(place?.enterBy ?? '') - now) / 1000);
    return { id: 'time-left', label: texts.timeLeft, value, unit: '' };
  }
  if (mode !== 'waiting') return undefined;
  const opensAt = opensAtOf(known);
  if (opensAt !== undefined && zone === 'own' && Date.parse(opensAt) > now) {
    const label = isLobby(place) ? texts.drawIn : texts.opensIn;
    return { id: 'countdown', label, value: formatUntil((Date.parse(opensAt) - now) / 1000, texts), unit: '' };
  }
  if (place?.peopleAhead === undefined) return undefined;
  const unit = texts.people.replace('{count}', '').trim();
  return { id: 'ahead', label: texts.ahead, value: formatCount(place.peopleAhead, language), unit };
}

/** Undefined once the room is open. */
function opensAtOf({ place, room }: Known): string | undefined {
  return isLobby(place) || room?.state === 'not_open' ? (place?.waitUntil ?? room?.opensAt) : undefined;
}

function sayAll(known: Known, words: Words): View['say'] {
  const { mode, trouble } = known;
  const kind = kindOf(known);
  const titles: Partial<Record<Kind, string>> = {
    paused: words.texts.pausedTitle,
    lost: words.texts.lostTitle,
    'sold-out': words.texts.soldOut,
  };
  const isClosed = mode === 'closed' || (mode === 'waiting' && kind === 'closed');
  const title = isClosed ? sayClosed(known, words.texts).title : titles[kind];
  return { kind, title, text: trouble === undefined ? sayOf(known, words) : sayTrouble(trouble, known, words.texts) };
}

function kindOf({ mode, trouble, room, place, event }: Known): Kind {
  if (trouble !== undefined) return 'lost';
  if (mode === 'ready' || mode === 'turn' || mode === 'in') return 'turn';
  if (mode !== 'waiting') {
    return ['gone', 'ended', 'removed', 'banned', 'not-allowed', 'closed', 'no-event'].includes(mode)
      ? 'closed'
      : 'calm';
  }
  if (isLobby(place)) return 'calm';
  if (room?.state === 'closed') return 'closed';
  if (room?.state === 'paused') return 'paused';
  if (room?.state === 'not_open') return 'calm';
  if (room?.soldOut || event?.left === 0) return 'sold-out';
  return place?.waitReason === 'no_room' ? 'paused' : 'calm';
}

function sayOf(known: Known, words: Words): string {
  const { texts, now, zone } = words;
  switch (known.mode) {
    case 'joining':
      return texts.joining;
    case 'checking':
      return texts.checking;
    case 'ready': {
      if (zone === 'own') return texts.readyNow;
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
      return sayClosed(known, texts).text;
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

function sayWaiting(known: Known, { texts, language, now, zone }: Words): string {
  const { place, room, event } = known;
  const opensAt = opensAtOf(known);
  const time = opensAt === undefined ? '' : formatTime(opensAt, language, zone);
  // Before a draw nobody has a number.
  if (isLobby(place)) return fill(texts.lobby, { time });
  if (room?.state === 'closed') return sayClosed(known, texts).text;
  if (room?.state === 'paused') return texts.paused;
  if (room?.state === 'not_open') return fill(texts.notOpen, { time });
  if (room?.soldOut || event?.left === 0) return texts.soldOutWaiting;
  if (place?.waitReason === 'no_room') return texts.noRoom;
  const reason = reasonOf(known, now);
  return reason === undefined ? texts.turnComes : texts[reason];
}

/** Why nobody can come in any more: because of the event, where the shop knows it. */
function sayClosed({ mode, event }: Known, texts: WaitingTexts): { title: string; text: string } {
  if (event?.phase === 'cancelled') return { title: texts.cancelledTitle, text: texts.cancelledText };
  if (event?.phase === 'ended') return { title: texts.endedTitle, text: texts.endedText };
  return { title: texts.closedTitle, text: mode === 'waiting' ? texts.closedWaiting : texts.closed };
}

/** Why the wait is longer than the page has said. The note on members covers `lanes`. */
function reasonOf({ place, room, hasRisen = true }: Known, now: number) {
  const change = place?.waitChange;
  // A line that has just opened has not resumed.
  const isOpening = room?.opensAt !== undefined && now - Date.parse(room.opensAt) < OPENING_MS;
  if (!hasRisen || change === 'lanes' || (change === 'resumed' && isOpening)) return undefined;
  return change;
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

function sayUpdated({ heardAt }: Known, { texts, now }: Words): string | undefined {
  if (heardAt === undefined) return undefined;
  const seconds = Math.floor((now - heardAt) / 1000);
  return seconds < 1 ? texts.updatedNow : fill(texts.updatedAgo, { time: formatDuration(seconds, texts) });
}

function numberOf({ mode, place }: Known, { texts, language }: Words): View['number'] {
  if ((mode !== 'waiting' && mode !== 'ready') || place?.number === undefined) return undefined;
  return { label: texts.number, value: formatCount(place.number, language) };
}

/** A room that admits nobody has no meaningful estimate. */
function waitFacts(known: Known, { texts, language, now, zone }: Words): Row[] {
  const { place, room } = known;
  if (kindOf(known) === 'sold-out') return [];
  if (room?.state !== 'open' || place?.peopleAhead === undefined) return [];
  if (place.waitReason === 'no_room' || place.waitReason === 'sold_out') return [];
  const range = place.estimatedWaitRange;
  const value = range === undefined ? texts.unknown : formatWait(range, texts);
  const facts = [{ id: 'time', label: texts.time, value }];
  if (value === texts.unknown || place.estimatedWait == null) return facts;
  const time = formatClock(now + place.estimatedWait * 1000, now, language, zone);
  return [...facts, { id: 'turn-at', label: texts.turnAt, value: fill(texts.about, { time }) }];
}

function placeRows(known: Known, { texts, language, zone }: Words): Row[] {
  const { place } = known;
  if (place === undefined) return [];
  const people = (count: number) => fill(texts.people, { count: formatCount(count, language) });
  const rows: Row[] = [];
  if (isLobby(place)) rows.push({ id: 'taking-part', label: texts.takingPart, value: people(place.queueSize ?? 0) });
  if (place.drawLot !== undefined) rows.push({ id: 'lot', label: texts.drawLot, value: place.drawLot });
  if (place.peopleAhead !== undefined) {
    const isHero = opensAtOf(known) === undefined || zone === 'said';
    if (!isHero) rows.push({ id: 'ahead', label: texts.ahead, value: people(place.peopleAhead) });
    rows.push({ id: 'behind', label: texts.behind, value: people(place.peopleBehind ?? 0) });
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
  const left = event.left === 0 ? texts.soldOut : fill(texts.ticketsLeft, { count: formatCount(event.left, language) });
  return [...rows, { id: 'left', label: texts.left, value: left }];
}

function notesOf({ room, place }: Known, { texts, language }: Words): string[] {
  const { ko, en } = room?.message ?? {};
  const message = language === 'ko' ? (ko ?? en) : (en ?? ko);
  const notes: string[] = [];
  if (message !== undefined) notes.push(message);
  if (room?.priorityShare !== undefined) {
    notes.push(fill(place?.lane === 'priority' ? texts.goesFirst : texts.membersFirst, { share: room.priorityShare }));
  }
  return notes;
}

export function hintOf({ room }: Pick<Known, 'room'>, texts: WaitingTexts): string | undefined {
  const kept = room?.keptSeconds;
  if (kept === undefined) return undefined;
  return kept === 0 ? texts.keepsNot : fill(texts.keeps, { time: formatDuration(kept, texts) });
}

/** Where to sign in; where to go once inside or out; and visitors who took part in a draw can verify it. */
function linkOf(known: Known, texts: WaitingTexts): View['link'] {
  const { eventId, mode, place, page, event } = known;
  if (OUT.includes(mode) || (mode === 'waiting' && kindOf(known) === 'closed')) {
    return event === undefined
      ? { href: '/', label: texts.home }
      : { href: `/events/${eventId}`, label: texts.eventLink };
  }
  if (page !== undefined && mode === 'sign-in') return { href: page, label: texts.signInLink };
  if (mode === 'in') return { href: '/', label: texts.home };
  if (page !== undefined && mode === 'confirm') return { href: page, label: texts.confirmLink };
  if (mode !== 'waiting' || place?.drawLot === undefined) return undefined;
  return { href: `/draw/${eventId}`, label: texts.drawCheck };
}

function reminderOf(known: Known, { texts, origin }: Words): View['reminder'] {
  const { eventId, event } = known;
  const at = opensAtOf(known);
  if (at === undefined) return undefined;
  const title = fill(texts.remindTitle, { title: event?.title ?? texts.title });
  const url = `${origin}/queue/${eventId}`;
  return { href: toCalendarUrl({ title, at, url, uid: `${eventId}@fairline` }), label: texts.remind };
}

/** In the zone of the venue. */
export function refundOf(event: Known['event'], { language, now }: Pick<Words, 'language' | 'now'>): View['refund'] {
  if (event === undefined || event.phase === 'cancelled') return undefined;
  const { refundUntil, timeZone } = event;
  const { atVenue } = formatEventTime(refundUntil, { timeZone, language, readerZone: timeZone });
  return { until: atVenue, isOver: Date.parse(refundUntil) <= now };
}

function actionsOf(mode: Mode): Action[] {
  if (mode === 'waiting') return ['alert', 'leave'];
  if (mode === 'ready') return ['enter', 'leave'];
  return ['left', 'gone', 'ended', 'removed'].includes(mode) ? ['join'] : [];
}
