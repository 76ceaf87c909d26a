/** The shop's keys in Redis. The hash tag keeps the keys of an event in one slot. */
export const seatLockKey = (eventId: string, seatId: string): string => `lock:seat:{${eventId}}:${seatId}`;
