/** All rooms as cards. */
import { formatCount } from '../../texts/format.ts';
import { fill } from '../../texts/language.ts';
import type { Overview, RoomSummary } from '../api/wire.ts';
import { createForm } from '../controls/create-form.ts';
import { type Desk, refusalText, type View } from '../controls/desk.ts';
import { el, fillWith, setText } from '../controls/dom.ts';
import { needs } from '../controls/needs.ts';
import { showRate, showSeconds, showWaiting } from '../controls/show-values.ts';
import { addressAlarms } from './address-alarms.ts';
import { showAlarms } from './alarm-list.ts';
import { phaseBadge } from './phase-badge.ts';

interface Card {
  root: HTMLElement;
  update(room: RoomSummary): void;
}

export function roomsView(desk: Desk): View {
  const { texts } = desk;
  const summary = el('p', { id: 'summary', className: 'summary', textContent: texts.loading });
  const list = el('ul', { id: 'rooms', className: 'cards' });
  const addresses = addressAlarms(desk);
  const cards = new Map<string, Card>();
  return {
    title: texts.rooms,
    root: el(
      'div',
      { className: 'view' },
      el('h1', { textContent: texts.rooms }),
      summary,
      addresses.root,
      list,
      needs('operator', newRoomForm(desk)),
    ),
    update(overview) {
      const rooms = sorted(overview);
      addresses.update(overview);
      const troubled = rooms.filter(({ alarms }) => alarms.length > 0).length;
      const isCalm = overview.addressFindings.length === 0;
      const calm = rooms.length === 0 ? texts.noRooms : isCalm ? texts.calm : texts.addressAttention;
      setText(summary, troubled > 0 ? fill(texts.attention, { count: troubled }) : calm);
      summary.classList.toggle('warn', troubled > 0);
      for (const room of rooms) {
        const card = cards.get(room.eventId) ?? createCard(room.eventId, desk);
        cards.set(room.eventId, card);
        card.update(room);
      }
      const order = rooms.map(({ eventId }) => cards.get(eventId)!.root);
      if (order.some((root, i) => list.children[i] !== root)) fillWith(list, ...order);
    },
  };
}

/** By name, so that cards keep their place between updates. */
function sorted({ rooms }: Overview): RoomSummary[] {
  return [...rooms].sort((a, b) => (a.eventId < b.eventId ? -1 : 1));
}

function createCard(eventId: string, desk: Desk): Card {
  const { texts, language } = desk;
  const badge = phaseBadge(desk);
  const meter = el('meter', { min: 0, attributes: { 'aria-label': texts.insideOfLimit } });
  const alarms = el('ul', { className: 'alarms' });
  const values = new Map<string, HTMLElement>();
  const fact = (label: string) => {
    const value = el('dd', { textContent: texts.unknown });
    values.set(label, value);
    return el('div', {}, el('dt', { textContent: label }), value);
  };
  const labels = [texts.waiting, texts.insideOfLimit, texts.rate, texts.waitLast, texts.tier1];
  const root = el(
    'li',
    { className: 'card room', attributes: { 'data-event': eventId } },
    el('h2', {}, el('a', { href: `#/rooms/${eventId}`, textContent: eventId }), ' ', badge.root),
    el('dl', { className: 'facts' }, ...labels.map(fact)),
    meter,
    alarms,
  );
  const set = (label: string, text: string) => setText(values.get(label)!, text);
  return {
    root,
    update(room) {
      const inside = room.admitted + room.active;
      badge.update(room.phase);
      set(texts.waiting, showWaiting(room, desk));
      set(texts.insideOfLimit, `${formatCount(inside, language)} / ${formatCount(room.limit, language)}`);
      set(texts.rate, showRate(room.admittedPerSecond, desk));
      set(texts.waitLast, showSeconds(room.wait.last, desk));
      set(texts.tier1, room.tier1 === null ? texts.tier1Off : formatCount(room.tier1.waitingCount, language));
      meter.max = Math.max(1, room.limit);
      meter.value = inside;
      root.classList.toggle('troubled', room.alarms.length > 0);
      showAlarms(alarms, room.alarms, desk);
    },
  };
}

function newRoomForm(desk: Desk): HTMLElement {
  const { texts, api, overview } = desk;
  return createForm(desk, {
    id: 'new-room',
    title: texts.newRoom,
    label: texts.eventId,
    isTaken: (id) => overview()?.rooms.some(({ eventId }) => eventId === id) ?? false,
    async onId(eventId) {
      const answer = await api.put(`/api/admin/rooms/${eventId}`, { state: null });
      if (!answer.ok) return desk.say(refusalText(desk, answer), 'bad');
      location.hash = `#/rooms/${eventId}`;
    },
  });
}
