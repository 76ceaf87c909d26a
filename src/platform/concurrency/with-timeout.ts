/** Rejects if `work` takes longer than `ms`. The work itself is not cancelled: that is up to the caller. */
export async function withTimeout<T>(ms: number, work: Promise<T>, who: string): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error(`no answer from ${who} within ${ms} ms`)), ms);
  });
  return Promise.race([work, late]).finally(() => clearTimeout(timer));
}
