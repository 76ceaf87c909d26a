/** What, where and when. Saving a new event creates its draft and its room. */
import { fill } from '../../../texts/language.ts';
import type { ShopEvent } from '../../api/wire.ts';
import { refusalText } from '../../controls/desk.ts';
import { createField, textInput } from '../../controls/field.ts';
import { createEventFields } from '../event-fields.ts';
import { saveEvent } from '../event-form.ts';
import { type StepContext, stepForm } from './step.ts';
import { suggestId } from './wizard-steps.ts';

const ID = /^[A-Za-z0-9_-]{1,64}$/;

export function detailsStep(context: StepContext): HTMLElement {
  const { desk, event } = context;
  const { texts, api } = desk;
  const parts = createEventFields(desk, event, [
    'title',
    'artist',
    'venue',
    'timeZone',
    'startsAt',
    'description',
    'currency',
    'maxPerPerson',
  ]);
  const id = createField({
    id: 'event-id',
    label: texts.idOfEvent,
    about: fill(texts.idOfEventAbout, { id: '…' }),
    input: textInput('', { maxLength: 64, spellcheck: false, autocapitalize: 'off' }),
  });
  if (event === undefined) suggest();

  function suggest(): void {
    let isTyped = false;
    const textOf = (name: string) => parts.fields.get(name)!.input.value;
    const write = () => {
      if (!isTyped) id.input.value = suggestId(textOf('title'), textOf('startsAt'));
    };
    for (const name of ['title', 'startsAt']) parts.fields.get(name)!.input.addEventListener('input', write);
    id.input.addEventListener('input', () => {
      isTyped = id.input.value !== '';
    });
  }

  /** Undefined: allowed. */
  async function problemOfId(): Promise<string | undefined> {
    const wanted = id.input.value.trim();
    if (wanted === '') return texts.required;
    if (!ID.test(wanted)) return texts.eventIdAbout;
    const events = await api.get<ShopEvent[]>('/api/admin/events');
    if (!events.ok) return refusalText(desk, events);
    return events.body.some(({ eventId }) => eventId === wanted) ? texts.exists : undefined;
  }

  async function create(): Promise<boolean> {
    const change = parts.read();
    const problem = await problemOfId();
    id.setProblem(problem);
    if (problem !== undefined && change !== undefined) id.input.focus();
    if (change === undefined || problem !== undefined) {
      desk.say(texts.problems, 'bad');
      return false;
    }
    const saved = await saveEvent(desk, id.input.value.trim(), change, parts);
    if (saved === undefined) return false;
    desk.say(texts.draftSaved);
    context.go('image', saved.eventId);
    return true;
  }

  async function save(): Promise<boolean> {
    const change = parts.read();
    if (change === undefined) {
      desk.say(texts.problems, 'bad');
      return false;
    }
    if (Object.keys(change).length === 0) return true;
    return (await saveEvent(desk, context.eventId, change, parts)) !== undefined;
  }

  const [title, ...others] = parts.roots;
  return stepForm({
    context,
    step: 'details',
    children: [title, ...(event === undefined ? [id.root] : []), ...others],
    onSubmit: event === undefined ? create : save,
  });
}
