/** Times of a venue in datetime-local inputs: the wall clock there, whatever zone the operator is in. */

const MINUTE_MS = 60_000;

/** The wall clock of a zone at an instant, as a datetime-local value. Seconds are shown only if there are some. */
export function toZoneText(iso: string, timeZone: string): string {
  const wall = new Date(Date.parse(iso) + offsetAt(Date.parse(iso), timeZone)).toISOString();
  return wall.slice(17, 19) === '00' ? wall.slice(0, 16) : wall.slice(0, 19);
}

/** The instant at which the clock of a zone shows this; undefined if it never does, because clocks are set forward. */
export function fromZoneText(text: string, timeZone: string): string | undefined {
  const wall = Date.parse(`${text}Z`);
  if (Number.isNaN(wall)) return undefined;
  // The offset belongs to the instant that is searched for, so the first guess may be wrong by a change of clocks.
  for (const guess of [wall - offsetAt(wall, timeZone), wall - offsetAt(wall - offsetAt(wall, timeZone), timeZone)]) {
    if (guess + offsetAt(guess, timeZone) === wall) return new Date(guess).toISOString();
  }
  return undefined;
}

/** How the zone differs from UTC then: `UTC+09:00`. */
export function offsetText(at: number, timeZone: string): string {
  const minutes = Math.round(offsetAt(at, timeZone) / MINUTE_MS);
  const [hours, rest] = [Math.floor(Math.abs(minutes) / 60), Math.abs(minutes) % 60];
  const two = (value: number) => String(value).padStart(2, '0');
  return `UTC${minutes < 0 ? '−' : '+'}${two(hours)}:${two(rest)}`;
}

function offsetAt(at: number, timeZone: string): number {
  const format = new Intl.DateTimeFormat('en-US', {
    timeZone,
    hourCycle: 'h23',
    year: 'numeric',
    month: 'numeric',
    day: 'numeric',
    hour: 'numeric',
    minute: 'numeric',
    second: 'numeric',
  });
  const part = Object.fromEntries(format.formatToParts(at).map(({ type, value }) => [type, Number(value)]));
  const wall = Date.UTC(part.year!, part.month! - 1, part.day, part.hour, part.minute, part.second);
  return wall - Math.floor(at / 1000) * 1000;
}
