/** Whether gates let visitors pass while the line cannot be asked. */
import type { Desk } from '../../controls/desk.ts';
import { el } from '../../controls/dom.ts';
import { needs } from '../../controls/needs.ts';
import { type Panel, section } from '../../controls/panel.ts';
import { objectForm } from './object-form.ts';

export function failOpenPanel(desk: Desk, eventId: string): Panel {
  const { texts } = desk;
  const form = objectForm(desk, eventId, 'failOpen', [
    { name: 'afterSeconds', label: texts.failOpenAfter },
    { name: 'forMinutes', label: texts.failOpenFor },
    { name: 'perSecond', label: texts.failOpenRate },
  ]);
  const about = el('p', { className: 'about', textContent: texts.failOpenAbout });
  return {
    root: needs('operator', section('fail-open', texts.failOpen, about, form.root)),
    update: ({ settings }) => form.update(settings.failOpen),
  };
}
