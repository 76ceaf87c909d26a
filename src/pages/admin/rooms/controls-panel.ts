/** The everyday controls: pause, resume, open, close, limit and rate. */
import { formatCount } from '../../texts/format.ts';
import { fill } from '../../texts/language.ts';
import { type Desk, refusalText } from '../controls/desk.ts';
import { el } from '../controls/dom.ts';
import { needs } from '../controls/needs.ts';
import { type Panel, section } from '../controls/panel.ts';
import { numberForm } from './number-form.ts';

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
  const put = (change: object) => api.put(address, change);
  const limit = numberForm(desk, { id: 'limit', label: texts.quickLimit, mayBeEmpty: false }, (maxActive) =>
    put({ maxActive }),
  );
  const rate = numberForm(
    desk,
    { id: 'rate', label: texts.quickRate, about: texts.quickRateAbout, placeholder: texts.rateNone, mayBeEmpty: true },
    (admitPerSecond) => put({ admitPerSecond }),
  );
  return {
    root: needs(
      'operator',
      section(
        'controls',
        texts.controls,
        el('div', { className: 'actions' }, resume, reopen, pause, close),
        el('div', { className: 'two' }, limit.root, rate.root),
        el('p', { className: 'about', textContent: texts.controlsAbout }),
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
      limit.update(room.limit);
      rate.update(room.settings.admitPerSecond);
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
