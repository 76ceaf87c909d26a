/** The totals at the top of the statistics. */
import { formatCount, formatMoney } from '../../texts/format.ts';
import type { Statistics } from '../api/wire.ts';
import type { Desk } from '../controls/desk.ts';
import { el, fillWith } from '../controls/dom.ts';

export function createStatsTotals({ texts, language }: Desk): {
  root: HTMLElement;
  update(stats: Statistics): void;
} {
  const root = el('dl', { className: 'facts large totals' });
  let shown = '';
  return {
    root,
    update({ counts, money }) {
      const many = (count: number) => formatCount(count, language);
      const sums = (name: 'revenue' | 'refunds' | 'transferred' | 'memberships') =>
        money.map((one) => formatMoney(one[name], one.currency, language)).join(' · ') || texts.unknown;
      const net = money
        .map(({ revenue, refunds, currency }) => formatMoney(revenue - refunds, currency, language))
        .join(' · ');
      const facts: [string, string][] = [
        [texts.grossSales, sums('revenue')],
        [texts.refunds, sums('refunds')],
        [texts.netSales, net || texts.unknown],
        [texts.purchases, many(counts.confirmed)],
        [texts.cancelled, many(counts.cancelled)],
        [texts.transfers, many(counts.transfers)],
        [texts.transferred, sums('transferred')],
        [texts.memberships, many(counts.memberships)],
        [texts.membershipsSum, sums('memberships')],
      ];
      if (JSON.stringify(facts) === shown) return;
      shown = JSON.stringify(facts);
      fillWith(
        root,
        ...facts.map(([label, value]) =>
          el('div', {}, el('dt', { textContent: label }), el('dd', { textContent: value })),
        ),
      );
    },
  };
}
