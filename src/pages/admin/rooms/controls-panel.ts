/** The quick controls: pause, resume, close, limit, and clearing the room. */
import { formatCount } from '../../texts/format.ts';
import { fill } from '../../texts/language.ts';
import type { RoomSummary } from '../api/wire.ts';
import { type Desk, refusalText } from '../controls/desk.ts';
import { el } from '../controls/dom.ts';
import { createField } from '../controls/field.ts';
import { needs } from '../controls/needs.ts';
import { type Panel, section } from '../controls/panel.ts';

type State = 'open' | 'paused' | 'closed';

export function controlsPanel(desk: Desk, eventId: string): Panel {
  const { texts, api, say } = desk;
  const address = `/api/admin/rooms/${eventId}`;
  let waiting = 0;
  const button = (id: string, text: string, onclick: () => void, className = '') =>
    el('button', { id, type: 'button', className, textContent: text, onclick });
  const pause = button('pause', texts.pause, pauseRoom);
  const resume = button('resume', texts.resume, () => setState('open'), 'main');
  const close = button('close', texts.close, closeRoom);
  const reopen = button('reopen', texts.reopen, () => setState('open'), 'main');

  async function setState(state: State): Promise<void> {
    const answer = await api.put(address, { state });
    say(answer.ok ? texts.done : refusalText(desk, answer), answer.ok ? 'good' : 'bad');
    desk.refresh();
  }

  async function pauseRoom(): Promise<void> {
    // Nobody notices that an empty room pauses.
    const sure = {
      title: fill(texts.pauseQuestion, { event: eventId }),
      body: `${tellWaiting()} ${texts.pauseWarning}`,
    };
    if (waiting === 0 || (await desk.confirm({ ...sure, yes: texts.pause }))) await setState('paused');
  }

  async function closeRoom(): Promise<void> {
    const title = fill(texts.closeQuestion, { event: eventId });
    const body = waiting === 0 ? texts.closeWarning : `${tellWaiting()} ${texts.closeWarning}`;
    if (await desk.confirm({ title, body, yes: texts.close })) await setState('closed');
  }

  const tellWaiting = () => fill(texts.peopleWait, { count: formatCount(waiting, desk.language) });

  async function clear(): Promise<void> {
    const title = fill(texts.clearQuestion, { event: eventId });
    const sure = { title, body: texts.clearWarning, yes: texts.clear, word: eventId, isDangerous: true };
    if (!(await desk.confirm(sure))) return;
    const answer = await api.post<{ waiting: number; inside: number }>(`/api/queue/admin/clear/${eventId}`);
    if (answer.ok) say(fill(texts.cleared, { ...answer.body }));
    else say(refusalText(desk, answer), 'bad');
    desk.refresh();
  }

  const limit = limitForm(desk, address);
  return {
    root: needs(
      'operator',
      section(
        'controls',
        texts.controls,
        el('p', { className: 'about', textContent: texts.controlsAbout }),
        el('div', { className: 'actions' }, resume, reopen, pause, close),
        limit.root,
        needs('admin', el('div', { className: 'actions apart' }, button('clear', texts.clear, clear, 'danger'))),
      ),
    ),
    update(room) {
      // The state the operator set, not the phase: a room that opens later can be paused too.
      const state = (room.overrides.state ?? 'open') as State;
      waiting = room.waiting;
      show(resume, state === 'paused');
      show(reopen, state === 'closed');
      show(pause, state === 'open');
      show(close, state !== 'closed');
      limit.update(room);
    },
  };
}

/** Moves the focus on when a focused button is hidden. */
function show(button: HTMLButtonElement, isWanted: boolean): void {
  if (button.hidden !== isWanted) return;
  const hadFocus = document.activeElement === button;
  button.hidden = !isWanted;
  if (!isWanted && hadFocus) button.parentElement?.querySelector<HTMLElement>('button:not([hidden])')?.focus();
}

function limitForm(desk: Desk, address: string): { root: HTMLElement; update(room: RoomSummary): void } {
  const { texts, api, say } = desk;
  const input = el('input', { type: 'number', min: '0', inputMode: 'numeric', autocomplete: 'off' });
  const field = createField({ id: 'limit', label: texts.quickLimit, input });
  const form = el('form', { className: 'inline', noValidate: true });
  form.append(field.root, el('button', { id: 'set-limit', type: 'submit', textContent: texts.setLimit }));
  let isTouched = false;
  input.addEventListener('input', () => {
    isTouched = true;
  });
  form.addEventListener('submit', async (event) => {
    event.preventDefault();
    if (input.value.trim() === '') return field.setProblem(texts.notANumber);
    const answer = await api.put(address, { maxActive: Number(input.value) });
    field.setProblem(answer.ok ? undefined : (answer.fields[0]?.message ?? refusalText(desk, answer)));
    if (!answer.ok) return input.focus();
    isTouched = false;
    say(texts.saved);
    desk.refresh();
  });
  return {
    root: form,
    update({ limit }) {
      if (!isTouched && document.activeElement !== input) input.value = String(limit);
    },
  };
}
