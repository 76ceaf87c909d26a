/**
 * One pass of a background role over all rooms, side by side: a room that cannot be reached, or is slow to say so, keeps
 * no other waiting. What failed is thrown when all are done, so that the pass counts as failed and is logged.
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
