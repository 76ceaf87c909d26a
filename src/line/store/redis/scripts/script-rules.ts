/** The settings that scripts go by: times as numbers, without what only people read. */
import type { RoomOverrides, RoomSettings } from '../../../model/room-settings.ts';

export function toRules(settings: RoomSettings | RoomOverrides): object {
  const { message: _, opensAt, closesAt, ...rules } = settings;
  return { ...rules, ...toMs('opensAt', opensAt), ...toMs('closesAt', closesAt) };
}

function toMs(name: string, instant: string | undefined): object {
  return instant === undefined ? {} : { [name]: Date.parse(instant) };
}
