/** The seats of the event: a layout of the venue, chosen by its picture or drawn. */
import { formatCount } from '../../../texts/format.ts';
import { fill } from '../../../texts/language.ts';
import { retryUntilOk } from '../../api/retry-until-ok.ts';
import type { Layout } from '../../api/wire.ts';
import { refusalText } from '../../controls/desk.ts';
import { el, fillWith, setText } from '../../controls/dom.ts';
import { stockText } from '../events-view.ts';
import { layoutPreview } from '../layouts/layout-preview.ts';
import { type StepContext, stepForm } from './step.ts';
import { isDone } from './wizard-steps.ts';

export function seatsStep(context: StepContext): HTMLElement {
  const { desk, event, eventId } = context;
  const { texts, api } = desk;
  if (event !== undefined && event.state !== 'draft') return fixed(context);
  const hasSeats = isDone('seats', context);
  const list = el('div', { className: 'layout-choices' });
  const problem = el('p', { id: 'layout-problem', className: 'problem', hidden: true, attributes: { role: 'alert' } });
  const choices = el(
    'fieldset',
    { className: 'wide', attributes: { 'aria-describedby': problem.id } },
    el('legend', { textContent: texts.chooseOneLayout }),
    problem,
    list,
  );
  const drawing = el('a', {
    id: 'draw-layout',
    className: 'button',
    href: `#/layouts/${eventId}/for/${eventId}`,
    textContent: texts.drawLayout,
  });

  async function load(): Promise<void> {
    const send = () => api.get<Layout[]>('/api/seats/layouts');
    const layouts = await retryUntilOk(send, list, (refusal) => setText(problem, refusalText(desk, refusal)));
    fillWith(list, ...layouts.map(toChoice));
    if (layouts.length === 0) fillWith(list, el('p', { className: 'soft', textContent: texts.noLayouts }));
  }

  function toChoice(layout: Layout): HTMLElement {
    const radio = el('input', { type: 'radio', name: 'layout', value: layout.layoutId });
    return el(
      'label',
      { className: 'layout-choice card' },
      el('span', { className: 'row' }, radio, el('strong', { textContent: layout.name })),
      layoutPreview(layout, desk),
    );
  }

  async function save(): Promise<boolean> {
    const layoutId = list.querySelector<HTMLInputElement>('input:checked')?.value;
    problem.hidden = layoutId !== undefined || hasSeats;
    setText(problem, problem.hidden ? '' : texts.chooseLayout);
    if (layoutId === undefined) return hasSeats;
    if (hasSeats && !(await desk.confirm(toQuestion()))) return false;
    const answer = await api.post(`/api/admin/events/${eventId}/seats`, { layoutId });
    if (!answer.ok) desk.say(refusalText(desk, answer), 'bad');
    return answer.ok;
  }

  const toQuestion = () => ({
    title: fill(texts.generateQuestion, { event: eventId }),
    body: texts.generateWarning,
    yes: texts.generate,
  });
  void load();
  const now = hasSeats && el('p', { className: 'banner success wide', textContent: stockText(event!, desk) });
  return stepForm({
    context,
    step: 'seats',
    canSkip: true,
    children: [now, choices, el('p', { className: 'wide' }, drawing)],
    onSubmit: save,
  });
}

function fixed(context: StepContext): HTMLElement {
  const { texts, language } = context.desk;
  const total = formatCount(context.event!.seats.total, language);
  const note = el('p', {
    className: 'wide',
    textContent: `${fill(texts.seatTotal, { seats: total })}. ${texts.seatsFixed}`,
  });
  return stepForm({ context, step: 'seats', children: [note], onSubmit: async () => true });
}
