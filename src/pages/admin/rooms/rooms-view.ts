/** All rooms at a glance, for the big screen: alarms first, large figures; readable from three metres. */
import { formatCount } from '../../texts/format.ts';
import { fill } from '../../texts/language.ts';
import { readEventTitles } from '../api/event-titles.ts';
import type { Overview, RoomSummary } from '../api/wire.ts';
import { createForm } from '../controls/create-form.ts';
import { type Desk, refusalText, type View } from '../controls/desk.ts';
import { el, fillWith, setText } from '../controls/dom.ts';
import { needs } from '../controls/needs.ts';
import { showRate } from '../controls/show-values.ts';
import { addressAlarms } from './address-alarms.ts';
import { createRoomCard, isIdle, type RoomCard } from './room-card.ts';
import { wallButton } from './wall-button.ts';

export function roomsView(desk: Desk): View {
  const { texts } = desk;
  const summary = el('p', { id: 'summary', className: 'banner', textContent: texts.loading });
  const list = el('ul', { id: 'rooms', className: 'wall-rooms' });
  const addresses = addressAlarms(desk);
  const totals = createTotals(desk);
  const cards = new Map<string, RoomCard>();
  const wall = wallButton(desk);
  let titles = new Map<string, string>();
  void readEventTitles(desk).then((read) => {
    titles = read;
    for (const [eventId, title] of titles) cards.get(eventId)?.call(title);
  });
  const cardOf = (eventId: string) => {
    const card = cards.get(eventId) ?? createRoomCard(eventId, desk);
    if (!cards.has(eventId) && titles.has(eventId)) card.call(titles.get(eventId)!);
    cards.set(eventId, card);
    return card;
  };
  return {
    title: texts.rooms,
    root: el(
      'div',
      { className: 'view wall' },
      el('div', { className: 'row between' }, el('h1', { textContent: texts.rooms }), wall.root),
      summary,
      totals.root,
      addresses.root,
      list,
      needs('operator', newRoomForm(desk)),
    ),
    update(overview) {
      const rooms = sorted(overview);
      addresses.update(overview);
      totals.update(rooms);
      const troubled = rooms.filter(({ alarms }) => alarms.length > 0).length;
      const isCalm = overview.addressFindings.length === 0;
      const calm = rooms.length === 0 ? texts.noRooms : isCalm ? texts.calm : texts.addressAttention;
      setText(summary, troubled > 0 ? fill(texts.attention, { count: troubled }) : calm);
      summary.className = `banner ${troubled > 0 ? 'danger' : isCalm ? 'success' : 'warning'}`;
      for (const room of rooms) cardOf(room.eventId).update(room);
      const order = rooms.map(({ eventId }) => cards.get(eventId)!.root);
      if (order.length !== list.children.length || order.some((root, i) => list.children[i] !== root))
        place(list, order);
    },
    close: wall.close,
  };
}

/** Keeps the focus when a card moves. */
function place(list: HTMLElement, order: readonly HTMLElement[]): void {
  const focused = document.activeElement as HTMLElement | null;
  fillWith(list, ...order);
  if (focused !== null && list.contains(focused)) focused.focus();
}

/** Rooms with alarms, then busy ones, then the rest; each by name, so that cards keep their place between updates. */
function sorted({ rooms }: Overview): RoomSummary[] {
  const rank = (room: RoomSummary) => (room.alarms.length > 0 ? 0 : isIdle(room) ? 2 : 1);
  return [...rooms].sort((a, b) => rank(a) - rank(b) || (a.eventId < b.eventId ? -1 : 1));
}

function createTotals(desk: Desk): { root: HTMLElement; update(rooms: readonly RoomSummary[]): void } {
  const { texts, language } = desk;
  const labels = [texts.allWaiting, texts.allInside, texts.allRate, texts.allAlarms];
  const values = labels.map(() => el('dd', { textContent: texts.unknown }));
  const stats = labels.map((label, i) =>
    el('div', { className: 'stat' }, el('dt', { textContent: label }), values[i]!),
  );
  const sum = (rooms: readonly RoomSummary[], read: (room: RoomSummary) => number) =>
    rooms.reduce((total, room) => total + read(room), 0);
  return {
    root: el('dl', { id: 'totals', className: 'wall-totals' }, ...stats),
    update(rooms) {
      const shown = [
        formatCount(
          sum(rooms, ({ waiting }) => waiting),
          language,
        ),
        formatCount(
          sum(rooms, ({ admitted, active }) => admitted + active),
          language,
        ),
        showRate(
          sum(rooms, ({ admittedPerSecond }) => admittedPerSecond ?? 0),
          desk,
        ),
        formatCount(
          sum(rooms, ({ alarms }) => (alarms.length > 0 ? 1 : 0)),
          language,
        ),
      ];
      shown.forEach((text, i) => {
        setText(values[i]!, text);
      });
      stats.at(-1)!.classList.toggle(
        'troubled',
        rooms.some(({ alarms }) => alarms.length > 0),
      );
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
