/** Everything once more, with what is missing; the only place of the guide where an event is published. */
import { formatCount, formatPrices } from '../../../texts/format.ts';
import { fill } from '../../../texts/language.ts';
import type { ShopEvent } from '../../api/wire.ts';
import { refusalText } from '../../controls/desk.ts';
import { type Child, el } from '../../controls/dom.ts';
import { showAtVenue } from '../event-times.ts';
import { stockOf } from '../events-view.ts';
import { type StepContext, stepForm } from './step.ts';
import { type Finding, findMissing, findWorth, type WizardStep } from './wizard-steps.ts';

export function reviewStep(context: StepContext): HTMLElement {
  const { desk, event } = context;
  const { texts } = desk;
  const missing = findMissing(context, Date.now());
  const isDraft = event?.state === 'draft';
  const form = stepForm({
    context,
    step: 'review',
    submit: isDraft ? (event.onSaleAt === null ? texts.open : texts.schedule) : texts.continue,
    children: [
      isDraft && banner('missing', 'danger', texts.reviewMissing, missing, context),
      banner('worth', 'warning', texts.reviewWorth, findWorth(context), context),
      isDraft && missing.length === 0 && el('p', { className: 'banner success wide', textContent: texts.reviewReady }),
      summary(context),
    ],
    onSubmit: async () => !isDraft || (await publish(context, event)),
  });
  if (isDraft && missing.length > 0) form.querySelector<HTMLButtonElement>('#next')!.disabled = true;
  return form;
}

async function publish({ desk, eventId }: StepContext, event: ShopEvent): Promise<boolean> {
  const { texts, api } = desk;
  const { onSaleAt } = event;
  const time = onSaleAt === null ? texts.whenPublished : showAtVenue(onSaleAt, event, desk);
  const isSure = await desk.confirm({
    title: fill(texts.scheduleQuestion, { event: event.title }),
    body: fill(texts.scheduleWarning, { time }),
    yes: onSaleAt === null ? texts.open : texts.schedule,
    word: eventId,
  });
  if (!isSure) return false;
  const answer = await api.post(`/api/admin/events/${eventId}/open`);
  if (answer.ok) desk.say(onSaleAt === null ? texts.onSaleNow : fill(texts.scheduled, { time }));
  else desk.say(refusalText(desk, answer), 'bad');
  return answer.ok;
}

function banner<Name extends string>(
  kind: 'missing' | 'worth',
  tone: string,
  title: string,
  findings: readonly Finding<Name>[],
  { desk: { texts }, eventId }: StepContext,
): Child {
  if (findings.length === 0) return false;
  const items = findings.map(({ name, step }) =>
    el(
      'li',
      {},
      `${(texts as Record<string, string>)[`${kind}_${name}`]} `,
      el('a', { href: `#/events/${eventId}/setup/${step}`, textContent: texts[`step_${step}`] }),
    ),
  );
  return el(
    'div',
    { id: `review-${kind}`, className: `banner ${tone} wide` },
    el('div', {}, el('strong', { textContent: title }), el('ul', {}, ...items)),
  );
}

function summary(context: StepContext): HTMLElement {
  const { desk, event, room } = context;
  const { texts, language } = desk;
  if (event === undefined || room === undefined) return el('div');
  const time = (iso: string | null | undefined, none: string) => (iso ? showAtVenue(iso, event, desk) : none);
  const { prices, currency } = event;
  const { maxActive, admitPerSecond, opensAt, order } = room.settings;
  const rows: [string, string, WizardStep][] = [
    [texts.eventTitle, [event.title, event.artist].filter(Boolean).join(' · '), 'details'],
    [texts.venue, event.venue || texts.none, 'details'],
    [texts.startsAt, time(event.startsAt, ''), 'details'],
    [texts.poster, event.imageUrl ?? texts.none, 'image'],
    [texts.tickets, formatCount(stockOf(event).total, language), 'seats'],
    [texts.pricesLabel, prices ? formatPrices(prices.low, prices.high, currency, language) : texts.none, 'seats'],
    [texts.onSaleAt, time(event.onSaleAt, texts.whenPublished), 'times'],
    [texts.salesEndAt, time(event.salesEndAt, texts.whenStarts), 'times'],
    [texts.presale, time(event.membersFrom, texts.none), 'times'],
    [texts.limitLabel, formatCount(maxActive, language), 'limits'],
    [texts.rateLabel, admitPerSecond === undefined ? texts.noLimit : String(admitPerSecond), 'limits'],
    [texts.opensAtLabel, time(opensAt, texts.whenPublished), 'limits'],
    [texts.orderLabel, order === 'draw' ? texts.orderDraw : texts.orderFifo, 'limits'],
  ];
  return el('dl', { id: 'review-list', className: 'review-list wide' }, ...rows.map((row) => toRow(row, context)));
}

function toRow(
  [label, value, step]: [string, string, WizardStep],
  { desk: { texts }, eventId }: StepContext,
): HTMLElement {
  const change = el('a', {
    href: `#/events/${eventId}/setup/${step}`,
    textContent: texts.change,
    attributes: { 'aria-label': fill(texts.changeStep, { step: label }) },
  });
  return el('div', {}, el('dt', { textContent: label }), el('dd', { textContent: value }), el('dd', {}, change));
}
