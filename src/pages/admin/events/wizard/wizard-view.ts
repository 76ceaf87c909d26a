/** The guide from nothing to a scheduled sale. Each step has a URL and is saved, so it can be left and resumed. */
import type { AdminTexts } from '../../../texts/en.ts';
import { fill } from '../../../texts/language.ts';
import { retryUntilOk } from '../../api/retry-until-ok.ts';
import type { RoomSummary, ShopEvent } from '../../api/wire.ts';
import { type Desk, refusalText, type View } from '../../controls/desk.ts';
import { el, fillWith } from '../../controls/dom.ts';
import { lockUnless } from '../../controls/needs.ts';
import { phaseBadge } from '../event-phase-badge.ts';
import { detailsStep } from './details-step.ts';
import { imageStep } from './image-step.ts';
import { limitsStep } from './limits-step.ts';
import { rehearseStep } from './rehearse-step.ts';
import { reviewStep } from './review-step.ts';
import { seatsStep } from './seats-step.ts';
import type { StepContext } from './step.ts';
import { timesStep } from './times-step.ts';
import { isDone, isStep, resumeAt, type WizardState, type WizardStep, wizardSteps } from './wizard-steps.ts';

const views: Readonly<Record<WizardStep, (context: StepContext) => HTMLElement>> = {
  details: detailsStep,
  image: imageStep,
  seats: seatsStep,
  times: timesStep,
  limits: limitsStep,
  review: reviewStep,
  rehearse: rehearseStep,
};

const addressOf = (step: WizardStep, id: string) => `#/events/${id}/setup/${step}`;

export const newEventView = (desk: Desk): View => wizardView(desk, '', 'details');

export function wizardView(desk: Desk, eventId: string, wanted: string): View {
  const { texts, api } = desk;
  const root = el('div', { className: 'view wizard' }, el('p', { textContent: texts.loading }));

  async function load(): Promise<void> {
    if (eventId === '') return show({ event: undefined, room: undefined });
    const onRefusal = (refusal: Parameters<typeof refusalText>[1]) =>
      fillWith(root, el('p', { className: 'note', textContent: refusalText(desk, refusal) }));
    const events = await retryUntilOk(() => api.get<ShopEvent[]>('/api/admin/events'), root, onRefusal);
    const event = events.find((one) => one.eventId === eventId);
    if (event === undefined) return fillWith(root, el('h1', { textContent: texts.nothingHere }));
    const room = await retryUntilOk(() => api.get<RoomSummary>(`/api/admin/rooms/${eventId}`), root, onRefusal);
    const state = { event, room };
    // Without a step in the URL the guide resumes; the URL of the step replaces it, so that Back leaves the guide.
    if (!isStep(wanted)) return location.replace(addressOf(resumeAt(state), eventId));
    show(state);
  }

  function show(state: WizardState): void {
    const step = isStep(wanted) ? wanted : 'details';
    const context: StepContext = {
      ...state,
      desk,
      eventId,
      go(next, id = eventId) {
        location.hash = addressOf(next, id);
      },
      reload: load,
    };
    const body = views[step](context);
    lockUnless(desk, 'operator', body);
    fillWith(
      root,
      el('h1', {}, state.event?.title ?? texts.wizardTitle, ' ', state.event && phaseBadge(state.event, desk)),
      stepList(state, step, texts, eventId),
      el(
        'section',
        { className: 'card stack wizard-step', attributes: { 'aria-labelledby': 'step-title' } },
        el(
          'div',
          {},
          el('p', { className: 'soft', textContent: stepCount(step) }),
          el('h2', { id: 'step-title', textContent: texts[`step_${step}`] }),
          el('p', { className: 'soft', textContent: texts[`step_${step}_about`] }),
        ),
        body,
      ),
      el('p', { className: 'soft', textContent: state.event?.state === 'open' ? texts.published : texts.leaveNote }),
    );
  }

  const stepCount = (step: WizardStep) =>
    fill(texts.stepOf, { number: wizardSteps.indexOf(step) + 1, total: wizardSteps.length });

  void load();
  return { title: texts.wizardTitle, root };
}

function stepList(state: WizardState, current: WizardStep, texts: AdminTexts, eventId: string): HTMLElement {
  const items = wizardSteps.map((step, index) => {
    const done = isDone(step, state);
    const label = el(
      'span',
      {},
      texts[`step_${step}`],
      done && el('span', { className: 'sr-only', textContent: ` (${texts.stepDone})` }),
    );
    const sign = el('span', {
      className: 'step-sign',
      textContent: done ? '✓' : String(index + 1),
      attributes: { 'aria-hidden': 'true' },
    });
    const isCurrent = step === current;
    const attributes: Record<string, string> = isCurrent ? { 'aria-current': 'step' } : {};
    const node =
      eventId === ''
        ? el('span', { attributes }, sign, label)
        : el('a', { href: addressOf(step, eventId), attributes }, sign, label);
    return el('li', { className: done ? 'done' : '' }, node);
  });
  return el(
    'nav',
    { className: 'wizard-nav', attributes: { 'aria-label': texts.wizardSteps } },
    el('ol', { className: 'wizard-steps' }, ...items),
  );
}
