/** The instances that hold a visitor's connections, as the hash of whereabouts keeps them: a comma-separated list. */
export function toInstances(text: string | null): string[] {
  return text === null || text === '' ? [] : text.split(',');
}
