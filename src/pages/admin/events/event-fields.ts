/** The fields of an event that operators fill in: inputs, and what they mean to the API. Times are those of the venue. */
import type { AdminTexts } from '../../texts/en.ts';
import { fill } from '../../texts/language.ts';
import type { ShopEvent } from '../api/wire.ts';
import type { Desk } from '../controls/desk.ts';
import { el, setText } from '../controls/dom.ts';
import { createField, type Field, showProblems, textInput } from '../controls/field.ts';
import { isZone, listZones, ownZone } from '../controls/time-zones.ts';
import { fromZoneText, offsetText, toZoneText } from '../controls/zone-time.ts';

export const eventFieldNames = [
  'title',
  'artist',
  'venue',
  'timeZone',
  'startsAt',
  'onSaleAt',
  'salesEndAt',
  'description',
  'imageUrl',
  'currency',
  'maxPerPerson',
] as const;
export type EventFieldName = (typeof eventFieldNames)[number];
export type EventChange = Record<string, string | number | null>;

const TIMES: readonly EventFieldName[] = ['startsAt', 'onSaleAt', 'salesEndAt'];
/** Empty means that there is none. */
const OPTIONAL: readonly EventFieldName[] = ['onSaleAt', 'salesEndAt', 'imageUrl'];
/** All other fields have a default. */
const REQUIRED: readonly EventFieldName[] = ['title', 'startsAt', 'timeZone'];
/** The zone decides what these mean, so they are sent with it. */
const WITH_ZONE = TIMES;

export interface EventFields {
  fields: Map<string, Field>;
  roots: HTMLElement[];
  /** The changed fields; undefined if one is wrong, which is shown. */
  read(): EventChange | undefined;
  /** What was typed, by field, before and now. */
  changes(): { name: EventFieldName; before: string; after: string }[];
}

export function createEventFields(
  desk: Desk,
  event: ShopEvent | undefined,
  names: readonly EventFieldName[],
): EventFields {
  const { texts } = desk;
  const before = textsOf(event, desk);
  const fields = new Map(names.map((name) => [name as string, fieldOf(name, before[name], desk)]));
  const textOf = (name: EventFieldName) => fields.get(name)?.input.value.trim() ?? before[name];
  const changed = () => names.filter((name) => textOf(name) !== before[name]);
  followZone(fields, () => textOf('timeZone'), desk);

  function problems(): { field: string; message: string }[] {
    const zone = textOf('timeZone');
    return names.flatMap((name) => {
      const text = textOf(name);
      if (text === '') return REQUIRED.includes(name) ? [{ field: name, message: texts.required }] : [];
      if (name === 'timeZone' && !isZone(text)) return [{ field: name, message: texts.timeZoneAbout }];
      const isNoTime = TIMES.includes(name) && isZone(zone) && fromZoneText(text, zone) === undefined;
      return isNoTime ? [{ field: name, message: fill(texts.notATime, { zone }) }] : [];
    });
  }

  return {
    fields,
    roots: [...fields.values()].map(({ root }) => root),
    changes: () => changed().map((name) => ({ name, before: before[name], after: textOf(name) })),
    read() {
      const found = problems();
      showProblems(fields, found);
      if (found.length > 0) return undefined;
      const zone = textOf('timeZone');
      const isMoved = changed().includes('timeZone') && event !== undefined;
      const sent = eventFieldNames.filter(
        (name) => changed().includes(name) || (isMoved && WITH_ZONE.includes(name) && textOf(name) !== ''),
      );
      const isNew = event === undefined && names.includes('timeZone');
      return {
        ...(isNew ? { timeZone: zone } : {}),
        ...Object.fromEntries(sent.map((name) => [name, toValue(name, textOf(name), zone)])),
      };
    },
  };
}

export function labelOf(name: EventFieldName, texts: AdminTexts): string {
  return name === 'title' ? texts.eventTitle : texts[name];
}

function textsOf(event: ShopEvent | undefined, { facts }: Desk): Record<EventFieldName, string> {
  const { title = '', artist = '', venue = '', description = '', currency = '' } = event ?? {};
  const timeZone = event?.timeZone ?? (facts as { timeZone?: string }).timeZone ?? ownZone();
  const time = (iso: string | null | undefined) => (iso ? toZoneText(iso, timeZone) : '');
  return {
    title,
    artist,
    venue,
    timeZone,
    startsAt: time(event?.startsAt),
    onSaleAt: time(event?.onSaleAt),
    salesEndAt: time(event?.salesEndAt),
    description,
    imageUrl: event?.imageUrl ?? '',
    currency,
    maxPerPerson: String(event?.maxPerPerson ?? ''),
  };
}

function fieldOf(name: EventFieldName, value: string, { texts }: Desk): Field {
  const about = texts[`${name}About` as keyof AdminTexts] as string | undefined;
  const field = createField({ id: `event-${name}`, label: labelOf(name, texts), about, input: inputOf(name, value) });
  if (name === 'timeZone') field.root.append(zoneList());
  if (TIMES.includes(name)) addZoneNote(field);
  if (REQUIRED.includes(name)) field.input.setAttribute('aria-required', 'true');
  return field;
}

function inputOf(name: EventFieldName, value: string) {
  if (name === 'description') return el('textarea', { rows: 4, maxLength: 4_000, value });
  if (TIMES.includes(name)) return textInput(value, { type: 'datetime-local' });
  if (name === 'maxPerPerson') return textInput(value, { inputMode: 'numeric' });
  const input = textInput(value, { maxLength: name === 'currency' ? 3 : 500 });
  if (name === 'timeZone') input.setAttribute('list', 'time-zones');
  return input;
}

/** An input with a list is a select that can be searched, in every browser and on phones. */
function zoneList(): HTMLElement {
  return el('datalist', { id: 'time-zones' }, ...listZones().map((zone) => el('option', { value: zone })));
}

function addZoneNote({ root, input }: Field): void {
  const note = el('p', { id: `${input.id}-zone`, className: 'hint zone-note' });
  input.after(note);
  root.dataset.zoned = '';
  input.setAttribute('aria-describedby', `${note.id} ${input.getAttribute('aria-describedby') ?? ''}`.trim());
}

/** Names the zone of the venue below each time, with its offset on that day. */
function followZone(fields: ReadonlyMap<string, Field>, zoneNow: () => string, { texts }: Desk): void {
  function show(): void {
    const zone = zoneNow();
    for (const { root, input } of fields.values()) {
      const note = root.querySelector('.zone-note');
      if (note === null) continue;
      const at = isZone(zone) ? Date.parse(fromZoneText(input.value, zone) ?? '') : Number.NaN;
      const offset = isZone(zone) ? offsetText(Number.isNaN(at) ? Date.now() : at, zone) : '';
      setText(note, isZone(zone) ? fill(texts.inZone, { zone, offset }) : texts.inZoneNone);
    }
  }
  for (const { input } of fields.values()) input.addEventListener('input', show);
  show();
}

function toValue(name: EventFieldName, text: string, zone: string): string | number | null {
  if (OPTIONAL.includes(name) && text === '') return null;
  if (TIMES.includes(name)) return fromZoneText(text, zone) ?? text;
  if (name === 'maxPerPerson') return text === '' ? text : Number(text);
  return name === 'currency' ? text.toUpperCase() : text;
}
