/** Before a draw: how many lots of guests come from how many addresses, and the largest ones. */
import { formatCount, formatTime } from '../../texts/format.ts';
import { fill } from '../../texts/language.ts';
import type { LotSources } from '../api/wire.ts';
import { createBarChart } from '../charts/bar-chart.ts';
import type { Desk } from '../controls/desk.ts';
import { el, setText } from '../controls/dom.ts';
import { factList, type Panel, section } from '../controls/panel.ts';

const EVERY_MS = 5_000;
/** From this many lots on, an address is worth a look: more than a household. */
const MANY_LOTS = 10;

export function lotSourcesPanel(desk: Desk, eventId: string): Panel {
  const { texts, api, language } = desk;
  const count = (value: number) => formatCount(value, language);
  const facts = factList([texts.sourceLots, texts.sourceAddresses, texts.sourceSingles]);
  const said = el('p', { id: 'sources-say', className: 'note' });
  const series = [{ label: texts.sourceLots, show: count }];
  const chart = createBarChart('sources-chart', texts.sourcesLargest, texts.sourceAddress, series, desk);
  const about = el('p', { className: 'about', textContent: texts.sourcesAbout });
  const root = section('sources', texts.sources, about, facts.root, said, chart.root);
  root.hidden = true;
  let loadedAt = Number.NEGATIVE_INFINITY;

  async function load(): Promise<void> {
    const answer = await api.get<LotSources>(`/api/admin/rooms/${eventId}/draw/sources`);
    if (!answer.ok) return;
    const { lots, addresses, singles, largest } = answer.body;
    facts.set(texts.sourceLots, count(lots));
    facts.set(texts.sourceAddresses, count(addresses));
    facts.set(texts.sourceSingles, count(singles));
    setText(said, sayLargest(largest[0]));
    chart.update(largest.map(({ address, lots: ofIt }) => ({ label: address, values: [ofIt] })));
  }

  function sayLargest(first: LotSources['largest'][number] | undefined): string {
    if (first === undefined || first.lots < MANY_LOTS) return texts.sourcesCalm;
    const [from, to] = [first.from, first.to].map((time) => formatTime(time, language, 'said'));
    return fill(texts.sourcesMany, { lots: count(first.lots), from: from!, to: to! });
  }

  return {
    root,
    update({ draw }) {
      root.hidden = draw === null;
      if (draw === null || performance.now() < loadedAt + EVERY_MS) return;
      loadedAt = performance.now();
      void load();
    },
  };
}
