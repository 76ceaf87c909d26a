/** Holding seats or tickets: one request, its refusals in words, and on to the payment. */
import { type Answer, ask, createKey, type Problem } from '../shared/api.ts';
import type { ReservationAnswer } from '../shared/wire.ts';
import { fill, texts } from '../shared/words.ts';

export type HoldRequest =
  | { eventId: string; seatIds: string[] }
  | { eventId: string; best: { count: number; section?: string } }
  | { eventId: string; tickets: { typeId: string; quantity: number }[] };

/** A reply that was lost is asked for once more with the same key: nothing is held twice. */
export async function hold(request: HoldRequest): Promise<Answer<ReservationAnswer>> {
  const path = 'tickets' in request ? '/api/reservations' : '/api/seats/reserve';
  const key = createKey();
  const answer = await ask<ReservationAnswer>('POST', path, request, key);
  const isLost = !answer.ok && answer.problem.code === 'OFFLINE';
  return isLost ? ask<ReservationAnswer>('POST', path, request, key) : answer;
}

/** On to the payment, or why not. */
export async function holdAndGo(request: HoldRequest): Promise<string | undefined> {
  const answer = await hold(request);
  if (!answer.ok) {
    if (answer.problem.redirectTo !== undefined) location.assign(answer.problem.redirectTo);
    return fill(texts.holdFailed, { reason: reasonOf(answer.problem, 'best' in request) });
  }
  location.assign(`/checkout/${answer.value.reservationId}`);
  return undefined;
}

function reasonOf({ code, retryAfter }: Problem, isBest: boolean): string {
  switch (code) {
    case 'SEATS_TAKEN':
      return texts.reasonTaken;
    case 'SOLD_OUT':
      return isBest ? texts.reasonNotTogether : texts.reasonSoldOut;
    case 'LIMIT_PER_PERSON':
      return texts.reasonLimit;
    case 'NOT_ON_SALE_YET':
      return texts.reasonTooEarly;
    case 'RATE_LIMITED':
      return fill(texts.reasonBusy, { seconds: retryAfter ?? 60 });
    default:
      return texts.reasonOther;
  }
}
