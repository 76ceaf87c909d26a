/** When buying begins and ends, in the time zone of the venue. */
import { fill } from '../../../texts/language.ts';
import { el } from '../../controls/dom.ts';
import { createEventFields } from '../event-fields.ts';
import { saveEvent } from '../event-form.ts';
import { showAtVenue } from '../event-times.ts';
import { type StepContext, stepForm } from './step.ts';

export function timesStep(context: StepContext): HTMLElement {
  const { desk, event, eventId } = context;
  const { texts } = desk;
  const parts = createEventFields(desk, event, ['onSaleAt', 'salesEndAt']);
  const presale =
    event?.membersFrom != null
      ? fill(texts.presaleAt, { time: showAtVenue(event.membersFrom, event, desk) })
      : texts.presaleNone;

  async function save(): Promise<boolean> {
    const change = parts.read();
    if (change === undefined) {
      desk.say(texts.problems, 'bad');
      return false;
    }
    if (Object.keys(change).length === 0) return true;
    return (await saveEvent(desk, eventId, change, parts)) !== undefined;
  }

  return stepForm({
    context,
    step: 'times',
    children: [
      ...parts.roots,
      el(
        'div',
        { className: 'wide' },
        el('p', { className: 'label', textContent: texts.presale }),
        el('p', { id: 'presale', className: 'soft', textContent: presale }),
      ),
    ],
    onSubmit: save,
  });
}
