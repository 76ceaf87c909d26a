/** Back-pressure on tier 1: no more numbers are served while the line of the event is too long. */
export interface BackPressureOptions {
  /** 0: no limit. */
  maxLine: number;
  /** Visitors in the line of an event; 0 if it has no room. */
  countWaiting: (eventId: string) => Promise<number>;
}

/** undefined without a limit: then the line is not asked. */
export function createBackPressure({ maxLine, countWaiting }: BackPressureOptions) {
  if (maxLine === 0) return undefined;
  return async (eventId: string): Promise<boolean> => (await countWaiting(eventId)) > maxLine;
}
