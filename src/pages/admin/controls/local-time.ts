/** The value of a datetime-local input: the reader's local time, to the second. */
export function toLocalText(iso: string): string {
  const time = new Date(iso);
  const local = new Date(time.getTime() - time.getTimezoneOffset() * 60_000);
  return local.toISOString().slice(0, 19);
}
