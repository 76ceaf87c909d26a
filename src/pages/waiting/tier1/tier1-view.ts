/** Turns a tier 1 place into the view of its page. Pure, for the browser and for the server. */

import type { CommonTexts, Tier1Texts, WaitingTexts } from '../../texts/en.ts';
import { formatCount, formatMinutes } from '../../texts/format.ts';
import { fill, type Language } from '../../texts/language.ts';
import type { View } from '../page-view.ts';

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
  common: Pick<CommonTexts, 'busy'>;
  language: Language;
}

export function countAhead({ position, serving }: Pick<Tier1Place, 'position' | 'serving'>): number {
  return Math.max(0, position - serving);
}

export function toTier1View(place: Tier1Place | undefined, saying: Tier1Saying, words: Tier1Words): View {
  const { tier1 } = words;
  const isBusy = 'busySeconds' in saying;
  const name = isBusy ? undefined : saying.text;
  return {
    documentTitle: documentTitleOf(place, name, words),
    title: tier1.title,
    subtitle: undefined,
    say: isBusy ? sayBusy(saying, words) : tier1[saying.text],
    tone: name === 'turn' ? 'turn' : isBusy || name === 'trouble' ? 'warn' : 'calm',
    notes: [],
    hint: tier1.hint,
    link: undefined,
    actions: [],
    joinLabel: tier1.take,
    ...placeParts(place, words),
  };
}

function sayBusy(saying: { busySeconds: number; isUnproven?: boolean }, { common, waiting }: Tier1Words): string {
  return fill(saying.isUnproven ? waiting.plainChecking : common.busy, { seconds: saying.busySeconds });
}

function placeParts(place: Tier1Place | undefined, { waiting, language }: Tier1Words) {
  if (place === undefined) return { number: undefined, progress: undefined, rows: [] };
  const ahead = countAhead(place);
  const minutes = place.perSecond > 0 ? Math.ceil(ahead / place.perSecond / 60) : 0;
  const span = place.position - place.from;
  return {
    number: { label: waiting.number, value: formatCount(place.position, language) },
    progress: span > 0 ? 1 - ahead / span : 1,
    rows: [
      { id: 'ahead', label: waiting.ahead, value: peopleAhead(place, waiting, language) },
      {
        id: 'time',
        label: waiting.time,
        value: formatMinutes(minutes, waiting),
      },
    ],
  };
}

function documentTitleOf(place: Tier1Place | undefined, name: keyof Tier1Texts | undefined, words: Tier1Words): string {
  const { tier1, waiting, language } = words;
  if (name === 'turn') return `● ${tier1.turn}`;
  return place === undefined ? tier1.title : `${peopleAhead(place, waiting, language)} · ${tier1.title}`;
}

/** `countAhead` includes the visitor. */
function peopleAhead(place: Tier1Place, waiting: WaitingTexts, language: Language): string {
  return fill(waiting.people, { count: formatCount(Math.max(0, countAhead(place) - 1), language) });
}
