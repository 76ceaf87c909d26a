/** Parses the comma-separated instances of a visitor, as stored in the whereabouts hash. */
export function toInstances(text: string | null): string[] {
  return text === null || text === '' ? [] : text.split(',');
}
