/** The keys of the shop in Redis. The hash tag keeps an event's in one slot. */
export const seatLockKey = (eventId: string, seatId: string): string => `lock:seat:{${eventId}}:${seatId}`;
