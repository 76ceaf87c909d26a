/** The waiting room: how many people inside, how fast, from when, in which order. */
import { fill } from '../../../texts/language.ts';
import { refusalText } from '../../controls/desk.ts';
import { createField, type Field, select, showProblems, textInput } from '../../controls/field.ts';
import { fromZoneText, offsetText, toZoneText } from '../../controls/zone-time.ts';
import { type StepContext, stepForm } from './step.ts';

export function limitsStep(context: StepContext): HTMLElement {
  const { desk, event, room, eventId } = context;
  const { texts, api } = desk;
  const zone = event!.timeZone;
  const { maxActive, admitPerSecond, order, opensAt = event!.onSaleAt } = room!.settings;
  const offset = offsetText(opensAt ? Date.parse(opensAt) : Date.now(), zone);
  const about = `${texts.opensAtAbout} ${fill(texts.inZone, { zone, offset })}`;
  const fields = new Map<string, Field>([
    ['maxActive', field('limit', texts.limitLabel, texts.limitAbout, textInput(String(maxActive), numeric))],
    [
      'admitPerSecond',
      field('rate', texts.rateLabel, texts.rateAbout, textInput(String(admitPerSecond ?? ''), decimal)),
    ],
    [
      'opensAt',
      field(
        'opensAt',
        texts.opensAtLabel,
        about,
        textInput(opensAt ? toZoneText(opensAt, zone) : '', { type: 'datetime-local' }),
      ),
    ],
    [
      'order',
      field(
        'order',
        texts.orderLabel,
        undefined,
        select(
          [
            ['fifo', texts.orderFifo],
            ['draw', texts.orderDraw],
          ],
          order,
        ),
      ),
    ],
  ]);

  async function save(): Promise<boolean> {
    const textOf = (name: string) => fields.get(name)!.input.value.trim();
    const opens = textOf('opensAt');
    const at = opens === '' ? null : fromZoneText(opens, zone);
    const missing = textOf('maxActive') === '' ? [{ field: 'maxActive', message: texts.required }] : [];
    const noTime = at === undefined ? [{ field: 'opensAt', message: fill(texts.notATime, { zone }) }] : [];
    showProblems(fields, [...missing, ...noTime]);
    if (missing.length + noTime.length > 0) return false;
    const answer = await api.put(`/api/admin/rooms/${eventId}`, {
      maxActive: Number(textOf('maxActive')),
      admitPerSecond: textOf('admitPerSecond') === '' ? null : Number(textOf('admitPerSecond')),
      opensAt: at,
      order: textOf('order'),
    });
    if (answer.ok) return true;
    const others = showProblems(fields, answer.fields);
    desk.say(others[0] ?? (answer.fields.length > 0 ? texts.problems : refusalText(desk, answer)), 'bad');
    return false;
  }

  return stepForm({ context, step: 'limits', children: [...fields.values()].map(({ root }) => root), onSubmit: save });
}

const numeric = { inputMode: 'numeric' };
const decimal = { inputMode: 'decimal' };

function field(name: string, label: string, about: string | undefined, input: Field['input']): Field {
  return createField({ id: `room-${name}`, label, about, input });
}
