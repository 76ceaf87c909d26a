/**
 * Reads a value, one read at a time, and waits for it only so long: undefined if it fails or takes longer. A slow read goes on, and
 * its value is that of the next call.
 */
export function createPatientReader<T>(read: () => Promise<T>, longestMs: number): () => Promise<T | undefined> {
  let reading: Promise<T | undefined> | undefined;
  return async () => {
    reading ??= read().catch(() => undefined);
    const own = reading;
    let timer: NodeJS.Timeout | undefined;
    const late = new Promise<'late'>((resolve) => {
      timer = setTimeout(resolve, longestMs, 'late');
    });
    const found = await Promise.race([own, late]);
    clearTimeout(timer);
    if (found === 'late') return undefined;
    if (reading === own) reading = undefined;
    return found;
  };
}
