/** The statistics of all events in one table. */
import { formatCount, formatMoney } from '../../texts/format.ts';
import type { StatsEvent } from '../api/wire.ts';
import type { Desk } from '../controls/desk.ts';
import { el, fillWith } from '../controls/dom.ts';
import { section } from '../controls/panel.ts';

export function eventsPanel({ texts, language }: Desk): {
  root: HTMLElement;
  update(events: readonly StatsEvent[]): void;
} {
  const rows = el('tbody');
  const head = [
    texts.auditEvent,
    texts.step_joined,
    texts.step_admitted,
    texts.step_held,
    texts.step_paid,
    texts.cancelled,
    texts.grossSales,
    texts.netSales,
  ];
  const table = el(
    'div',
    { className: 'table-frame', tabIndex: 0, attributes: { role: 'group', 'aria-label': texts.byEvent } },
    el(
      'table',
      {},
      el(
        'thead',
        {},
        el(
          'tr',
          {},
          ...head.map((textContent, i) => el('th', { scope: 'col', className: i > 0 ? 'number' : '', textContent })),
        ),
      ),
      rows,
    ),
  );
  const none = el('p', { className: 'about', textContent: texts.none });
  const root = section('stats-events', texts.byEvent, none, table);
  root.classList.add('wide');
  let shown: string | undefined;

  function toRow({ eventId, counts, money }: StatsEvent): HTMLElement {
    const { joined, admitted, created, confirmed, cancelled } = counts;
    const cells = [joined, admitted, created, confirmed, cancelled].map((count) => formatCount(count, language));
    const sums = (sumOf: (one: (typeof money)[number]) => number) =>
      money.map((one) => formatMoney(sumOf(one), one.currency, language)).join(' · ') || texts.unknown;
    const sales = [sums(({ revenue }) => revenue), sums(({ revenue, refunds }) => revenue - refunds)];
    return el(
      'tr',
      {},
      el('th', { scope: 'row' }, el('a', { href: `#/stats/${eventId}`, textContent: eventId })),
      ...[...cells, ...sales].map((textContent) => el('td', { className: 'number', textContent })),
    );
  }

  return {
    root,
    update(events) {
      none.hidden = events.length > 0;
      table.hidden = events.length === 0;
      const text = JSON.stringify(events);
      if (text === shown) return;
      shown = text;
      fillWith(rows, ...events.map(toRow));
    },
  };
}
