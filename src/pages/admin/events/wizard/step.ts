/** What every step of the guide is given, and the frame of its form. */
import type { Desk } from '../../controls/desk.ts';
import { type Child, el } from '../../controls/dom.ts';
import { type WizardState, type WizardStep, wizardSteps } from './wizard-steps.ts';

export interface StepContext extends WizardState {
  desk: Desk;
  /** Of a new event empty until its details are saved. */
  eventId: string;
  /** Opens a step of this event; the id only if it is new. */
  go(step: WizardStep, eventId?: string): void;
  /** Loads the event and its room again, and shows the step again. */
  reload(): Promise<void>;
}

export interface StepForm {
  context: StepContext;
  step: WizardStep;
  children: Child[];
  /** Text of the button; by default save and continue. */
  submit?: string;
  /** Whether the step can be left open. */
  canSkip?: boolean;
  /** Whether it was saved. */
  onSubmit: () => Promise<boolean>;
}

export function neighbours(step: WizardStep): { before: WizardStep | undefined; after: WizardStep | undefined } {
  const index = wizardSteps.indexOf(step);
  return { before: wizardSteps[index - 1], after: wizardSteps[index + 1] };
}

export function stepForm({ context, step, children, submit, canSkip, onSubmit }: StepForm): HTMLElement {
  const { desk, go } = context;
  const { texts } = desk;
  const { before, after } = neighbours(step);
  const save = el('button', {
    id: 'next',
    type: 'submit',
    className: 'main',
    textContent: submit ?? texts.saveAndContinue,
  });
  const back =
    before !== undefined &&
    context.eventId !== '' &&
    el('button', { id: 'back', type: 'button', textContent: texts.stepBack, onclick: () => go(before) });
  const skip =
    canSkip === true &&
    after !== undefined &&
    el('button', {
      id: 'skip',
      type: 'button',
      className: 'plain',
      textContent: texts.skipStep,
      onclick: () => go(after),
    });
  const form = el('form', { id: `step-${step}`, className: 'stack', noValidate: true });
  form.append(
    el('div', { className: 'field-grid' }, ...children),
    el('div', { className: 'actions wizard-actions' }, save, back, skip),
  );
  form.addEventListener('submit', async (event) => {
    event.preventDefault();
    save.disabled = true;
    const isSaved = await onSubmit();
    save.disabled = false;
    if (isSaved && after !== undefined && context.eventId !== '') go(after);
  });
  return form;
}
