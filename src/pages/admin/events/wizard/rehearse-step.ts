/** The last step: a ready-made command that sends a simulated crowd through a room with the same limits. */
import { el, setText } from '../../controls/dom.ts';
import { createField, textInput } from '../../controls/field.ts';
import { neighbours, type StepContext } from './step.ts';
import { rehearseCommand } from './wizard-steps.ts';

const VISITORS = 1_000;
const MAX_VISITORS = 100_000;

export function rehearseStep(context: StepContext): HTMLElement {
  const { desk, eventId, room, event } = context;
  const { texts } = desk;
  const code = el('code', { id: 'rehearse-command' });
  const visitors = createField({
    id: 'rehearse-visitors',
    label: texts.rehearseVisitors,
    input: textInput(String(VISITORS), { type: 'number', min: '1', max: String(MAX_VISITORS), inputMode: 'numeric' }),
  });
  const { maxActive, admitPerSecond } = room!.settings;
  function show(): void {
    const wanted = Math.round(Number(visitors.input.value));
    const count = Math.min(MAX_VISITORS, Math.max(1, wanted || VISITORS));
    setText(code, rehearseCommand(eventId, location.origin, { maxActive, admitPerSecond }, count));
  }
  const copy = el('button', {
    id: 'copy-command',
    type: 'button',
    textContent: texts.copy,
    async onclick() {
      try {
        await navigator.clipboard.writeText(code.textContent ?? '');
        desk.say(texts.copied);
      } catch {
        // Without permission the command is selected, ready to be copied by hand.
        getSelection()?.selectAllChildren(code);
      }
    },
  });
  visitors.input.addEventListener('input', show);
  show();
  const { before } = neighbours('rehearse');
  return el(
    'div',
    { id: 'step-rehearse', className: 'stack' },
    el('p', { textContent: texts.rehearseAbout }),
    visitors.root,
    el('p', { className: 'label', id: 'command-label', textContent: texts.rehearseCommand }),
    el(
      'pre',
      { className: 'command', tabIndex: 0, attributes: { 'aria-labelledby': 'command-label', role: 'region' } },
      code,
    ),
    el('p', { className: 'soft', textContent: texts.rehearseToken }),
    el(
      'div',
      { className: 'actions wizard-actions' },
      copy,
      el('a', { className: 'button main', href: `#/events/${eventId}`, textContent: texts.setupDone }),
      el('button', { id: 'back', type: 'button', textContent: texts.stepBack, onclick: () => context.go(before!) }),
    ),
    el(
      'p',
      { className: 'row' },
      event?.state === 'open' && el('a', { href: `/events/${eventId}`, textContent: texts.toEventPage }),
      el('a', { href: `/queue/${eventId}`, textContent: texts.toWaitingPage }),
    ),
  );
}
