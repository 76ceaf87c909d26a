/** The filter of the audit trail: room, person, kind and time. The server applies it. */
import type { AdminTexts } from '../../texts/en.ts';
import type { AuditEntry } from '../api/wire.ts';
import type { Desk } from '../controls/desk.ts';
import { el, fillWith } from '../controls/dom.ts';
import { createField, select } from '../controls/field.ts';
import { type AuditKind, auditKinds } from './audit-kinds.ts';

const HOUR_MS = 3_600_000;
const TIMES: [name: 'auditHour' | 'auditDay' | 'auditWeek', ms: number][] = [
  ['auditHour', HOUR_MS],
  ['auditDay', 24 * HOUR_MS],
  ['auditWeek', 7 * 24 * HOUR_MS],
];

export interface AuditFilter {
  root: HTMLElement;
  /** The query of the endpoint. */
  query(now: number): string;
  /** Offers the rooms and persons that were seen. */
  learn(entries: readonly AuditEntry[]): void;
}

/** `nameOf`: how a person is shown. */
export function auditFilter(desk: Desk, nameOf: (by: string) => string, onChange: () => void): AuditFilter {
  const { texts } = desk;
  const all: [string, string] = ['', texts.auditAll];
  const room = select([all], '');
  const by = select([all], '');
  const kinds = Object.keys(auditKinds) as AuditKind[];
  const kind = select(
    [all, ...kinds.map((name): [string, string] => [name, texts[`kind_${name}` as keyof AdminTexts]])],
    '',
  );
  const time = select([all, ...TIMES.map(([name, ms]): [string, string] => [String(ms), texts[name]])], '');
  const fields: [string, string, HTMLSelectElement][] = [
    ['audit-room', texts.auditFilterRoom, room],
    ['audit-by', texts.auditFilterBy, by],
    ['audit-kind', texts.auditFilterKind, kind],
    ['audit-time', texts.auditFilterTime, time],
  ];
  const root = el(
    'form',
    { className: 'fields', id: 'audit-filter' },
    ...fields.map(([id, label, input]) => createField({ id, label, input }).root),
  );
  root.addEventListener('submit', (event) => event.preventDefault());
  root.addEventListener('change', onChange);
  const seen = { rooms: new Set<string>(), people: new Set<string>() };

  function offer(input: HTMLSelectElement, values: ReadonlySet<string>, show: (value: string) => string): void {
    if (input.options.length === values.size + 1) return;
    const { value } = input;
    const options = [...values].sort().map((one) => el('option', { value: one, textContent: show(one) }));
    fillWith(input, el('option', { value: '', textContent: texts.auditAll }), ...options);
    input.value = value;
  }

  return {
    root,
    query(now) {
      const query = new URLSearchParams({ limit: '200' });
      if (room.value !== '') query.set('eventId', room.value);
      if (by.value !== '') query.set('by', by.value);
      if (kind.value !== '') query.set('actions', auditKinds[kind.value as AuditKind].join(','));
      if (time.value !== '') query.set('since', new Date(now - Number(time.value)).toISOString());
      return query.toString();
    },
    learn(entries) {
      for (const one of desk.overview()?.rooms ?? []) seen.rooms.add(one.eventId);
      for (const entry of entries) {
        if (entry.eventId !== undefined) seen.rooms.add(entry.eventId);
        seen.people.add(entry.by);
      }
      offer(room, seen.rooms, (value) => value);
      offer(by, seen.people, nameOf);
    },
  };
}
