/** The target: where a visitor goes once admitted. */
import { toWantedPage } from '../../http/wanted-page.ts';
import type { RoomSettings } from './room-settings.ts';

export interface TargetQuestion {
  eventId: string;
  settings: Pick<RoomSettings, 'target'>;
  /** The page that the visitor wanted, as received. */
  to: unknown;
}

/** The wanted page if it is allowed, else that of the room, else that of all rooms; null: nobody has said. */
export type FindTarget = (question: TargetQuestion) => string | null;

/** `everywhere`: the target of rooms that have none. */
export function createFindTarget(everywhere: string | undefined): FindTarget {
  return ({ eventId, settings, to }) => {
    const wanted = to === undefined ? undefined : toWantedPage(to);
    if (wanted !== undefined) return wanted;
    const template = settings.target ?? everywhere;
    return template === undefined ? null : template.replaceAll('{eventId}', eventId);
  };
}
