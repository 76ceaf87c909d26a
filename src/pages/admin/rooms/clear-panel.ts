/** Removing everyone from a room: for admins, after a typed word. */
import { fill } from '../../texts/language.ts';
import { type Desk, refusalText } from '../controls/desk.ts';
import { el } from '../controls/dom.ts';
import { needs } from '../controls/needs.ts';
import { type Panel, section } from '../controls/panel.ts';

export function clearPanel(desk: Desk, eventId: string): Panel {
  const { texts, api, say } = desk;

  async function clear(): Promise<void> {
    const title = fill(texts.clearQuestion, { event: eventId });
    const sure = { title, body: texts.clearWarning, yes: texts.clear, word: eventId, isDangerous: true };
    if (!(await desk.confirm(sure))) return;
    const answer = await api.post<{ waiting: number; inside: number }>(`/api/queue/admin/clear/${eventId}`);
    if (answer.ok) say(fill(texts.cleared, { ...answer.body }));
    else say(refusalText(desk, answer), 'bad');
    desk.refresh();
  }

  const button = el('button', {
    id: 'clear',
    type: 'button',
    className: 'danger',
    textContent: texts.clear,
    onclick: clear,
  });
  const about = el('p', { className: 'about', textContent: texts.clearWarning });
  return {
    root: needs('admin', section('clear-panel', texts.dangerous, about, el('div', { className: 'actions' }, button))),
  };
}
