/** Statistics of one event, or of all events with a table. */
import { fill } from '../../texts/language.ts';
import type { Realtime, Statistics, StatsEvent } from '../api/wire.ts';
import { type Desk, refusalText, type View } from '../controls/desk.ts';
import { el, setText } from '../controls/dom.ts';
import { conversionPanel } from './conversion-panel.ts';
import { eventsPanel } from './events-panel.ts';
import { createStatsCharts } from './stats-charts.ts';
import { createStatsTotals } from './stats-totals.ts';

const EVERY_MS = 5_000;

export function statsView(desk: Desk, eventId: string): View {
  const { texts } = desk;
  const isOne = eventId !== '';
  const title = isOne ? `${texts.stats}: ${eventId}` : texts.stats;
  const note = el('p', { className: 'summary', textContent: texts.loading });
  const totals = createStatsTotals(desk);
  const conversion = conversionPanel(desk);
  const charts = createStatsCharts(desk);
  const events = isOne ? undefined : eventsPanel(desk);
  const body = el(
    'div',
    { hidden: true },
    totals.root,
    el('div', { className: 'panels' }, conversion.root, charts.root, events?.root),
  );
  let timer: number | undefined;
  let isClosed = false;

  async function load(): Promise<void> {
    const answer = await (isOne ? readEvent(desk, eventId) : readAll(desk));
    if (isClosed) return;
    timer = window.setTimeout(load, EVERY_MS);
    if (!answer.ok) {
      setText(note, refusalText(desk, answer));
      return;
    }
    const { stats, behind, list }: Shown = answer.body;
    setText(note, freshnessText(behind));
    totals.update(stats);
    conversion.update(stats.conversion);
    charts.update(stats);
    events?.update(list);
    body.hidden = false;
  }

  function freshnessText(behind: number | undefined): string {
    if (behind === undefined) return texts.statsAbout;
    return behind === 0 ? `${texts.statsAbout} ${texts.statsFresh}` : fill(texts.statsBehind, { count: behind });
  }

  void load();
  const back = el('p', {}, el('a', { href: '#/stats', textContent: texts.statsAll }));
  return {
    title,
    root: el('div', { className: 'view', id: 'stats' }, el('h1', { textContent: title }), isOne && back, note, body),
    close() {
      isClosed = true;
      clearTimeout(timer);
    },
  };
}

interface Shown {
  stats: Statistics;
  /** Absent for one event. */
  behind?: number;
  list: StatsEvent[];
}

type Read = { ok: true; body: Shown };

async function readEvent({ api }: Desk, eventId: string) {
  const answer = await api.get<Statistics>(`/api/stats/events/${eventId}`);
  return answer.ok ? ({ ok: true, body: { stats: answer.body, list: [] } } satisfies Read) : answer;
}

async function readAll({ api }: Desk) {
  const [total, daily, now, list] = await Promise.all([
    api.get<Pick<Statistics, 'counts' | 'money' | 'conversion'>>('/api/stats/overview'),
    api.get<Statistics['daily']>('/api/stats/daily'),
    api.get<Realtime>('/api/stats/realtime'),
    api.get<StatsEvent[]>('/api/stats/events'),
  ]);
  if (!total.ok) return total;
  if (!daily.ok) return daily;
  if (!now.ok) return now;
  if (!list.ok) return list;
  const { hourly, behind } = now.body;
  return {
    ok: true,
    body: { stats: { ...total.body, daily: daily.body, hourly }, behind, list: list.body },
  } satisfies Read;
}
