/** Finds a visitor by id, shows where they stand and why, extends their session, and ejects or bans them. */
import type { AccessAnswer } from '../../../../gate/access/http/access-answer.ts';
import { formatMoment } from '../../../texts/format.ts';
import { fill } from '../../../texts/language.ts';
import type { RoomSummary } from '../../api/wire.ts';
import { type Desk, refusalText } from '../../controls/desk.ts';
import { el, setText } from '../../controls/dom.ts';
import { createField, textInput } from '../../controls/field.ts';
import { needs } from '../../controls/needs.ts';
import { type Panel, section } from '../../controls/panel.ts';
import { explainStanding } from './explain-standing.ts';

export interface Found {
  visitor: string;
  state: 'absent' | 'lobby' | 'waiting' | 'admitted' | 'active';
  number?: number;
  position?: number;
  expiresAt?: string;
  bans: AccessAnswer[];
}

export function visitorPanel(desk: Desk, eventId: string): Panel {
  const { texts, api, language } = desk;
  const address = `/api/admin/rooms/${eventId}`;
  const input = textInput('', { maxLength: 128, spellcheck: false });
  const field = createField({ id: 'find-visitor', label: texts.findLabel, about: texts.findAbout, input });
  const form = el('form', { id: 'find-form', className: 'inline', noValidate: true });
  form.append(field.root, el('button', { type: 'submit', textContent: texts.find }));
  const said = el('p', { id: 'visitor-state', attributes: { role: 'status' } });
  const eject = el('button', { id: 'eject', type: 'button', textContent: texts.eject });
  const ban = el('button', { id: 'ban', type: 'button', className: 'danger', textContent: texts.ban });
  const extend = el('button', { id: 'extend', type: 'button', textContent: texts.extend });
  const why = el('p', { id: 'visitor-why', className: 'about', attributes: { role: 'status' } });
  const actions = el('div', { className: 'actions', hidden: true }, extend, eject, ban);
  let shown: Found | undefined;
  let room: RoomSummary | undefined;

  async function load(visitor: string): Promise<void> {
    const answer = await api.get<Found>(`${address}/visitor?id=${encodeURIComponent(visitor)}`);
    field.setProblem(answer.ok ? undefined : refusalText(desk, answer));
    shown = answer.ok ? answer.body : undefined;
    setText(said, shown === undefined ? '' : describe(shown));
    setText(why, shown === undefined ? '' : explainStanding(shown, room, desk));
    actions.hidden = shown === undefined;
    if (shown === undefined) return;
    extend.hidden = shown.state !== 'active';
    eject.hidden = shown.state === 'absent';
    ban.hidden = shown.bans.length > 0;
  }

  function describe({ visitor, state, number = 0, position = 0, expiresAt, bans }: Found): string {
    const time = expiresAt === undefined ? '' : formatMoment(expiresAt, language);
    const where = fill(texts[`state_${state}`], { number, position, time });
    return `${visitor}: ${where}${bans.length > 0 ? ` · ${texts.isBanned}` : ''}`;
  }

  async function carryOut(what: 'eject' | 'ban', question: string, warning: string): Promise<void> {
    const visitor = shown?.visitor;
    if (visitor === undefined) return;
    const title = fill(question, { visitor });
    if (!(await desk.confirm({ title, body: warning, yes: texts[what], isDangerous: true }))) return;
    const answer = await api.post(`${address}/${what === 'ban' ? 'bans' : 'eject'}`, { visitor });
    desk.say(answer.ok ? texts.done : refusalText(desk, answer), answer.ok ? 'good' : 'bad');
    await load(visitor);
    desk.refresh();
  }

  async function extendSession(): Promise<void> {
    const { visitor, expiresAt = '' } = shown!;
    const answer = await api.post<Found>(`${address}/extend`, { visitor });
    if (!answer.ok) return desk.say(refusalText(desk, answer), 'bad');
    const until = answer.body.expiresAt ?? '';
    const isLonger = until > expiresAt;
    desk.say(
      isLonger ? fill(texts.extended, { time: formatMoment(until, language) }) : texts.extendNot,
      isLonger ? 'good' : 'bad',
    );
    await load(visitor);
  }

  extend.addEventListener('click', () => void extendSession());
  form.addEventListener('submit', (event) => {
    event.preventDefault();
    const visitor = input.value.trim();
    if (visitor !== '') void load(visitor);
  });
  eject.addEventListener('click', () => void carryOut('eject', texts.ejectQuestion, texts.ejectWarning));
  ban.addEventListener('click', () => void carryOut('ban', texts.banQuestion, texts.banWarning));
  return {
    root: section('visitor', texts.findTitle, form, said, why, needs('operator', actions)),
    update(latest) {
      room = latest;
    },
  };
}
