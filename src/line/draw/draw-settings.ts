/** Changes of a room's settings that its draw does not allow. */
import type { DrawPhase } from '../model/draw-state.ts';
import type { RoomSettings, SettingProblem } from '../model/room-settings.ts';

export interface DrawStanding {
  /** undefined if the room has no draw. */
  phase: DrawPhase | undefined;
  /** In the lobby or in line. */
  waiting: number;
}

/** The order may change only while nobody waits. */
export function changesOrder(before: RoomSettings, after: RoomSettings): boolean {
  return before.order !== after.order;
}

export function findDrawProblems(
  before: RoomSettings,
  after: RoomSettings,
  { phase, waiting }: DrawStanding,
): SettingProblem[] {
  const problems: SettingProblem[] = [];
  const hasBegun = phase === 'drawing' || phase === 'drawn';
  const isChanged = changesOrder(before, after);
  if (isChanged && hasBegun) {
    problems.push({
      field: 'order',
      message: 'order cannot be changed once the draw has begun; clear the room first',
      rule: 'fixed',
    });
  } else if (isChanged && waiting > 0) {
    problems.push({
      field: 'order',
      message: `order cannot be changed while visitors wait (${waiting} now); clear the room first`,
      rule: 'fixedWhileWaiting',
    });
  }
  if (hasBegun && instantOf(before) !== instantOf(after)) {
    problems.push({
      field: 'opensAt',
      message: 'opensAt cannot be changed once the draw has begun; clear the room first',
      rule: 'fixed',
    });
  }
  return problems;
}

const instantOf = ({ opensAt }: RoomSettings): number => (opensAt === undefined ? 0 : Date.parse(opensAt));
