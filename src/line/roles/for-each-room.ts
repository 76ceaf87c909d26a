/**
 * One pass of a background role over all rooms, in parallel, so that a slow or unreachable room delays no other. Throws
 * the first failure once all are done: the pass then counts as failed and is logged.
 */
export async function forEachRoom(
  eventIds: readonly string[],
  /** Resolves to whether the room has more to do at once. */
  work: (eventId: string) => Promise<boolean>,
): Promise<'done' | 'again'> {
  const results = await Promise.allSettled(eventIds.map(work));
  const failed = results.find((result) => result.status === 'rejected');
  if (failed !== undefined) throw failed.reason;
  return results.some((result) => result.status === 'fulfilled' && result.value) ? 'again' : 'done';
}
