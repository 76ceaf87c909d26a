/** What the page before the site shows, from what is known: pure, for the page with JavaScript and the one without. */
import { formatCount, formatMinutes } from '../shared/format.ts';
import type { CommonTexts, EdgeTexts, WaitingTexts } from '../texts/en.ts';
import { fill, type Language } from '../texts/language.ts';
import type { View } from './view.ts';

export interface EdgePlace {
  position: number;
  /** The number that is being served. */
  serving: number;
  /** What was being served when the place was taken. */
  from: number;
  perSecond: number;
}

export type EdgeSaying = { text: keyof EdgeTexts } | { busySeconds: number };

export interface EdgeWords {
  edge: EdgeTexts;
  waiting: WaitingTexts;
  common: Pick<CommonTexts, 'busy'>;
  language: Language;
}

export function countAhead({ position, serving }: Pick<EdgePlace, 'position' | 'serving'>): number {
  return Math.max(0, position - serving);
}

export function toEdgeView(place: EdgePlace | undefined, saying: EdgeSaying, words: EdgeWords): View {
  const { edge, common } = words;
  const isBusy = 'busySeconds' in saying;
  const name = isBusy ? undefined : saying.text;
  return {
    documentTitle: documentTitleOf(place, name, words),
    title: edge.title,
    subtitle: undefined,
    say: isBusy ? fill(common.busy, { seconds: saying.busySeconds }) : edge[saying.text],
    tone: name === 'turn' ? 'turn' : isBusy || name === 'trouble' ? 'warn' : 'calm',
    notes: [],
    hint: edge.hint,
    link: undefined,
    actions: [],
    joinLabel: edge.take,
    ...placeParts(place, words),
  };
}

function placeParts(place: EdgePlace | undefined, { waiting, language }: EdgeWords) {
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

function documentTitleOf(place: EdgePlace | undefined, name: keyof EdgeTexts | undefined, words: EdgeWords): string {
  const { edge, waiting, language } = words;
  if (name === 'turn') return `● ${edge.turn}`;
  return place === undefined ? edge.title : `${peopleAhead(place, waiting, language)} · ${edge.title}`;
}

/** Whoever is being served next is not ahead of themselves. */
function peopleAhead(place: EdgePlace, waiting: WaitingTexts, language: Language): string {
  return fill(waiting.people, { count: formatCount(Math.max(0, countAhead(place) - 1), language) });
}
