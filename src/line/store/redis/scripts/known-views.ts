/**
 * The views of rooms that this process has, so that a call need not reply what has not changed: see viewTag in
 * includes/line.lua. A view is only ever used if a reply says that it still holds.
 */
import { RecentMap } from '../../../../platform/collections/recent-map.ts';
import { phaseAt, type RoomSettings } from '../../../model/room-settings.ts';
import { type RoomView, type RoomViewReply, toRoomView } from './room-view.ts';

export interface KnownView {
  view: RoomView;
  tag: string;
}

/** A view with its tag, or what has changed in the one that the caller has: now, waiting, admitted, active, away. */
export type KnownViewReply = [view: RoomViewReply, tag: string] | [counts: string];

const EVENTS_REMEMBERED = 1_000;

export class KnownViews {
  readonly #views = new RecentMap<KnownView>(EVENTS_REMEMBERED);

  find(eventId: string): KnownView | undefined {
    return this.#views.get(eventId);
  }

  remember(eventId: string, known: KnownView): void {
    this.#views.set(eventId, known);
  }
}

/** `known`: the view whose tag the call named; another call may have brought a newer one since. */
export function readView(reply: KnownViewReply, known: KnownView | undefined, defaults: RoomSettings): KnownView {
  const [first, tag] = reply;
  if (typeof first !== 'string') return { view: toRoomView(first, defaults), tag: tag! };
  if (known === undefined) throw new Error('counts were replied to a call that named no view');
  const [at, waiting, admitted, active, away] = first.split(' ').map(Number) as [
    number,
    number,
    number,
    number,
    number,
  ];
  const { view } = known;
  const phase = phaseAt(view.crowd.settings, at);
  return { view: { ...view, crowd: { ...view.crowd, at, phase, waiting, admitted, active, away } }, tag: known.tag };
}
