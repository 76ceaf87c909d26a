/** Holds seats or tickets and goes on to the payment, or says why not. */
import { type Answer, createKey, type Problem, send } from '../shared/api.ts';
import type { ReservationAnswer } from '../shared/wire.ts';
import { fill, texts } from '../shared/words.ts';

export type HoldRequest =
  | { eventId: string; seatIds: string[] }
  | { eventId: string; best: { count: number; section?: string } }
  | { eventId: string; tickets: { typeId: string; quantity: number }[] };

/** Retries once after a lost response, with the same idempotency key, so nothing is held twice. */
export async function hold(request: HoldRequest): Promise<Answer<ReservationAnswer>> {
  const path = 'tickets' in request ? '/api/reservations' : '/api/seats/reserve';
  const key = createKey();
  const answer = await send<ReservationAnswer>('POST', path, request, key);
  const isLost = !answer.ok && answer.problem.code === 'OFFLINE';
  return isLost ? send<ReservationAnswer>('POST', path, request, key) : answer;
}

/** Returns the reason if the hold failed. */
export async function holdAndGo(request: HoldRequest): Promise<string | undefined> {
  const answer = await hold(request);
  if (!answer.ok) {
    return whyNot(answer.problem, request);
  }
  location.assign(`/checkout/${answer.value.reservationId}`);
  return undefined;
}

/** Goes to the line if the visitor has to wait again. */
export function whyNot(problem: Problem, request: HoldRequest): string {
  if (problem.redirectTo !== undefined) location.assign(problem.redirectTo);
  return fill(texts.holdFailed, { reason: reasonOf(problem, 'best' in request) });
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
    case 'SALES_ENDED':
      return texts.reasonEnded;
    case 'EVENT_CANCELLED':
      return texts.reasonCancelled;
    case 'RATE_LIMITED':
      return fill(texts.reasonBusy, { seconds: retryAfter ?? 60 });
    default:
      return texts.reasonOther;
  }
}
