/** Sold, held and remaining tickets of the event. */
import { formatCount, formatMoney } from '../../texts/format.ts';
import type { Sales, Stock } from '../api/wire.ts';
import type { Desk } from '../controls/desk.ts';
import { el, fillWith } from '../controls/dom.ts';
import { factList, type Panel, section } from '../controls/panel.ts';

const EVERY_MS = 1_500;
/** Slower while the shop has no such event, which may still be created. */
const ABSENT_MS = 10_000;

export function salesPanel(desk: Desk, eventId: string): Panel {
  const { texts, api, language } = desk;
  const facts = factList([texts.purchases, texts.grossSales, texts.refunds, texts.netSales]);
  const rows = el('tbody');
  const head = [texts.stockName, texts.price, texts.sold, texts.held, texts.left, texts.total];
  const table = el(
    'div',
    { className: 'table-frame', tabIndex: 0, attributes: { role: 'group', 'aria-label': texts.sales } },
    el('table', {}, el('thead', {}, el('tr', {}, ...head.map((name, i) => headCell(name, i > 0)))), rows),
  );
  const absent = el('p', { className: 'about', textContent: texts.noSales, hidden: true });
  const link = el('a', { href: `#/events/${eventId}`, textContent: texts.toEvent });
  const stats = el('a', { href: `#/stats/${eventId}`, textContent: texts.stats });
  const there = el('div', { className: 'stack', hidden: true }, facts.root, table, el('p', {}, link, ' · ', stats));
  let timer: number | undefined;
  let isClosed = false;

  async function load(): Promise<void> {
    const answer = await api.get<Sales>(`/api/admin/events/${eventId}/sales`);
    if (isClosed) return;
    absent.hidden = answer.ok || answer.status !== 404;
    there.hidden = !answer.ok && answer.status === 404;
    if (answer.ok) show(answer.body);
    timer = window.setTimeout(load, answer.ok ? EVERY_MS : ABSENT_MS);
  }

  function show({ currency, purchases, revenue, grossRevenue, refunds, stock }: Sales): void {
    const money = (amount: number) => formatMoney(amount, currency, language);
    facts.set(texts.purchases, formatCount(purchases, language));
    facts.set(texts.grossSales, money(grossRevenue));
    facts.set(texts.refunds, money(refunds));
    facts.set(texts.netSales, money(revenue));
    const text = JSON.stringify(stock);
    if (rows.dataset.shown === text) return;
    rows.dataset.shown = text;
    fillWith(rows, ...stock.map((one) => toRow(one, currency)));
  }

  function toRow({ name, price, sold, held, total }: Stock, currency: string): HTMLElement {
    const counts = [sold, held, total - sold - held, total].map((count) => formatCount(count, language));
    const cells = [formatMoney(price, currency, language), ...counts].map((textContent) =>
      el('td', { className: 'number', textContent }),
    );
    return el('tr', {}, el('th', { scope: 'row', textContent: name }), ...cells);
  }

  void load();
  return {
    root: section('sales', texts.sales, absent, there),
    close() {
      isClosed = true;
      clearTimeout(timer);
    },
  };
}

function headCell(textContent: string, isNumber: boolean): HTMLElement {
  return el('th', { scope: 'col', className: isNumber ? 'number' : '', textContent });
}
