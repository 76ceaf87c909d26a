/** Charts: traffic per hour, purchases and revenue per day. */
import { formatCount, formatMoney } from '../../texts/format.ts';
import type { Statistics } from '../api/wire.ts';
import { type BarChart, createBarChart } from '../charts/bar-chart.ts';
import type { Desk } from '../controls/desk.ts';
import { el } from '../controls/dom.ts';
import { section } from '../controls/panel.ts';
import { toDays, toHours } from './time-spans.ts';

export function createStatsCharts(desk: Desk): { root: HTMLElement; update(stats: Statistics): void } {
  const { texts, language } = desk;
  const count = (value: number) => formatCount(value, language);
  const hours = createBarChart(
    'chart-hours',
    texts.hourly,
    texts.hour,
    [
      { label: texts.step_joined, show: count },
      { label: texts.step_admitted, show: count },
    ],
    desk,
  );
  const days = createBarChart(
    'chart-days',
    texts.daily,
    texts.day,
    [
      { label: texts.purchases, show: count },
      { label: texts.cancelled, show: count },
    ],
    desk,
  );
  /** One chart per currency: amounts in different currencies cannot be compared. */
  const money = new Map<string, BarChart>();
  const list = el('div', { className: 'charts' }, hours.root, days.root);

  function chartOf(currency: string): BarChart {
    const known = money.get(currency);
    if (known !== undefined) return known;
    const show = (value: number) => formatMoney(value, currency, language);
    const chart = createBarChart(
      `chart-money-${currency}`,
      `${texts.grossSales} · ${texts.refunds} (${currency})`,
      texts.day,
      [
        { label: texts.grossSales, show },
        { label: texts.refunds, show },
      ],
      desk,
    );
    money.set(currency, chart);
    list.append(chart.root);
    return chart;
  }

  const root = section('stats-charts', texts.statsCharts, list);
  root.classList.add('beside');
  return {
    root,
    update({ daily, hourly, money: total }) {
      hours.update(
        toHours(hourly, Date.now()).map(({ hour, figures }) => ({
          label: new Date(hour).toLocaleTimeString(language, { hour: 'numeric' }),
          values: [figures?.counts.joined ?? 0, figures?.counts.admitted ?? 0],
        })),
      );
      const byDay = toDays(daily).map(({ day, figures }) => ({ label: showDay(day), figures }));
      days.update(
        byDay.map(({ label, figures }) => ({
          label,
          values: [figures?.counts.confirmed ?? 0, figures?.counts.cancelled ?? 0],
        })),
      );
      for (const { currency } of total) {
        chartOf(currency).update(
          byDay.map(({ label, figures }) => {
            const sums = figures?.money.find((one) => one.currency === currency);
            return { label, values: [sums?.revenue ?? 0, sums?.refunds ?? 0] };
          }),
        );
      }
    },
  };

  /** A day in the time zone of the statistics, not the reader's. */
  function showDay(day: string): string {
    return new Date(day).toLocaleDateString(language, { month: 'short', day: 'numeric', timeZone: 'UTC' });
  }
}
