/** Turns a tier 1 place into the view of its page. Pure, for the browser and for the server. */

import type { CommonTexts, Tier1Texts, WaitingTexts } from '../../texts/en.ts';
import { formatClock, formatCount, formatDuration, formatMinutes, formatPrices } from '../../texts/format.ts';
import { fill, type VisitorLanguage } from '../../texts/language.ts';
import { type EventFacts, refundOf } from '../line/line-view.ts';
import type { Kind, Row, View } from '../page-view.ts';

export interface Tier1Place {
  position: number;
  /** The number whose turn it is. */
  serving: number;
  /** The number whose turn it was when the place was taken. */
  from: number;
  perSecond: number;
}

/** `isUnproven`: without JavaScript, a proof of work cannot be solved. */
export type Tier1Saying = { text: keyof Tier1Texts } | { busySeconds: number; isUnproven?: boolean };

export interface Tier1Words {
  tier1: Tier1Texts;
  waiting: WaitingTexts;
  common: Pick<CommonTexts, 'busy' | 'free'>;
  language: VisitorLanguage;
  now: number;
  zone: 'own' | 'said';
}

export interface Tier1Known {
  eventId: string;
  place: Tier1Place | undefined;
  saying: Tier1Saying;
  event?: Omit<EventFacts, 'left'> | undefined;
  /** When the server last said something. */
  heardAt?: number | undefined;
}

export function countAhead({ position, serving }: Pick<Tier1Place, 'position' | 'serving'>): number {
  return Math.max(0, position - serving);
}

export function toTier1View(known: Tier1Known, words: Tier1Words): View {
  const { tier1, waiting } = words;
  const { place, saying, event, eventId } = known;
  const isBusy = 'busySeconds' in saying;
  const name = isBusy ? undefined : saying.text;
  const kind: Kind = name === 'turn' ? 'turn' : isBusy || name === 'trouble' ? 'lost' : 'calm';
  const isTurn = name === 'turn';
  return {
    documentTitle: documentTitleOf(place, name, words),
    eyebrow: isTurn ? event?.title : event && tier1.title,
    title: isTurn ? waiting.turnTitle : (event?.title ?? tier1.title),
    subtitle: isTurn ? undefined : event?.venue || undefined,
    posterOf: event && eventId,
    say: {
      kind,
      title: kind === 'lost' ? waiting.lostTitle : undefined,
      text: isBusy ? sayBusy(saying, words) : tier1[saying.text],
    },
    updated: isTurn ? undefined : sayUpdated(known, words),
    notes: [],
    hint: isTurn ? undefined : tier1.hint,
    link: undefined,
    reminder: undefined,
    actions: place === undefined || isTurn ? [] : ['alert'],
    joinLabel: tier1.take,
    refund: refundOf(event && { ...event, left: 0 }, words),
    isTurn,
    ...placeParts(isTurn ? undefined : place, words),
    rows: priceRows(known, words),
  };
}

function sayBusy(saying: { busySeconds: number; isUnproven?: boolean }, { common, waiting }: Tier1Words): string {
  return fill(saying.isUnproven ? waiting.plainChecking : common.busy, { seconds: saying.busySeconds });
}

function sayUpdated({ heardAt, place }: Tier1Known, { waiting, now }: Tier1Words): string | undefined {
  if (heardAt === undefined || place === undefined) return undefined;
  const seconds = Math.floor((now - heardAt) / 1000);
  return seconds < 1 ? waiting.updatedNow : fill(waiting.updatedAgo, { time: formatDuration(seconds, waiting) });
}

function placeParts(
  place: Tier1Place | undefined,
  words: Tier1Words,
): Pick<View, 'number' | 'hero' | 'progress' | 'facts'> {
  const { waiting, language } = words;
  if (place === undefined) return { number: undefined, hero: undefined, progress: undefined, facts: [] };
  const span = place.position - place.from;
  return {
    number: { label: waiting.number, value: formatCount(place.position, language) },
    hero: {
      ...{ id: 'ahead', label: waiting.ahead, value: formatCount(peopleAhead(place), language) },
      unit: waiting.people.replace('{count}', '').trim(),
    },
    progress: span > 0 ? 1 - countAhead(place) / span : 1,
    facts: waitFacts(place, words),
  };
}

function waitFacts(place: Tier1Place, { waiting, language, now, zone }: Tier1Words): Row[] {
  const seconds = place.perSecond > 0 ? countAhead(place) / place.perSecond : 0;
  const time = { id: 'time', label: waiting.time, value: formatMinutes(Math.ceil(seconds / 60), waiting) };
  if (seconds === 0) return [time];
  const clock = formatClock(now + seconds * 1000, now, language, zone);
  return [time, { id: 'turn-at', label: waiting.turnAt, value: fill(waiting.about, { time: clock }) }];
}

function priceRows({ event, saying }: Tier1Known, { waiting, common, language }: Tier1Words): Row[] {
  if (event?.prices == null || ('text' in saying && saying.text === 'turn')) return [];
  const { low, high } = event.prices;
  const value = high === 0 ? common.free : formatPrices(low, high, event.currency, language);
  return [{ id: 'prices', label: waiting.prices, value }];
}

function documentTitleOf(place: Tier1Place | undefined, name: keyof Tier1Texts | undefined, words: Tier1Words): string {
  const { tier1, waiting, language } = words;
  if (name === 'turn') return `● ${waiting.turnTitle}`;
  if (place === undefined) return tier1.title;
  return `${fill(waiting.people, { count: formatCount(peopleAhead(place), language) })} · ${tier1.title}`;
}

/** `countAhead` includes the visitor. */
function peopleAhead(place: Tier1Place): number {
  return Math.max(0, countAhead(place) - 1);
}
