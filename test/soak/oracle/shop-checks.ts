/** Promises about seats and money. Most are checked on the state at the end, against what buyers were told. */
import type { Asked, PaymentEnd, ReservationEnd, ShopAsked, ShopEnd } from '../history.ts';
import { groupBy, type View } from './view.ts';
import type { Violation } from './violation.ts';

export function checkShop(view: View): Violation[] {
  const shop = view.end?.shop;
  return [
    ...checkHolds(view),
    ...checkKeys(view),
    ...checkOverlaps(view),
    ...checkSpentTokens(view),
    ...(shop === undefined
      ? []
      : [
          ...checkSeats(shop, view.end!.at),
          ...checkLimits(shop, view),
          ...checkMoney(shop, view.end!.at),
          ...checkTold(shop, view),
          ...checkDeclined(shop, view),
        ]),
  ];
}

const isGranted = ({ status }: { status: number }) => status === 200 || status === 201;

/** Holds are granted to those who were told that they are inside, with the token that they were given. */
function checkHolds(view: View): Violation[] {
  return view.shop
    .filter((asked) => asked.action === 'hold' && isGranted(asked) && asked.tokenId !== 'forged')
    .flatMap((asked): Violation[] => {
      const told = (view.askedBy.get(asked.visitor) ?? []).some(
        ({ said, until }) => said?.state === 'inside' && said.tokenId === asked.tokenId && until <= asked.at,
      );
      if (told && asked.tokenId !== undefined) return [];
      const text = `${asked.visitor} held seats without having been admitted`;
      return [{ promise: 'S02', text, at: asked.at, evidence: [asked] }];
    });
}

function checkKeys(view: View): Violation[] {
  const holds = view.shop.filter((asked) => asked.action === 'hold' && isGranted(asked) && asked.key !== undefined);
  return [...groupBy(holds, ({ visitor, key }) => `${visitor} ${key}`).values()].flatMap((same): Violation[] => {
    const [first, ...others] = same;
    const other = others.find(({ reservationId }) => reservationId !== first!.reservationId);
    if (other === undefined) return [];
    const text = `${first!.visitor} repeated a hold with its key and got another reservation`;
    return [{ promise: 'S03', text, at: other.at, evidence: [first!, other] }];
  });
}

/** A seat that was held is not given to somebody else before the hold ends, unless its holder gave it back. */
function checkOverlaps(view: View): Violation[] {
  const found: Violation[] = [];
  const owners = new Map<string, ShopAsked>();
  const holds = view.shop
    .filter((asked) => asked.action === 'hold' && isGranted(asked))
    .sort((a, b) => a.until - b.until);
  for (const hold of holds) {
    for (const seat of hold.seats ?? []) {
      const key = `${hold.eventId} ${seat}`;
      const owner = owners.get(key);
      if (owner !== undefined && owner.reservationId !== hold.reservationId && !wasGivenBack(view, owner, hold)) {
        const promise = isPaid(view, owner, hold) ? 'S01' : 'S08';
        const text = `${seat} of ${hold.eventId} was given to ${hold.visitor} while it was ${owner.visitor}'s`;
        found.push({ promise, text, at: hold.at, evidence: [owner, hold] });
      }
      owners.set(key, hold);
    }
  }
  return found;
}

/** The hold was over by then, or cancelled, or its payment failed. Clocks of processes may differ by a jump. */
function wasGivenBack(view: View, owner: ShopAsked, hold: ShopAsked): boolean {
  const own = (view.shopBy.get(owner.visitor) ?? []).filter(
    ({ reservationId, at }) => reservationId === owner.reservationId && at <= hold.until,
  );
  const isCancelled = own.some(({ action }) => action === 'cancel');
  const isPaidFor = own.some(({ action, status }) => action === 'confirm' && status === 200);
  if (isCancelled) return true;
  if (isPaidFor) return false;
  const shifted = view.faults.some(({ fault }) => fault.startsWith('clock-shop'));
  return shifted || hold.until >= (owner.holdEndsAt ?? 0) - 1_000;
}

function isPaid(view: View, owner: ShopAsked, hold: ShopAsked): boolean {
  return (view.shopBy.get(owner.visitor) ?? []).some(
    ({ action, status, reservationId, until }) =>
      action === 'confirm' && status === 200 && reservationId === owner.reservationId && until <= hold.at,
  );
}

/** After a purchase was confirmed to the buyer, its token opens nothing any more. */
function checkSpentTokens(view: View): Violation[] {
  return [...view.shopBy.values()].flatMap((own) => {
    const bought = own.filter(({ action, status }) => action === 'confirm' && status === 200);
    return bought.flatMap((purchase): Violation[] => {
      const held = own.find(
        ({ action, reservationId, tokenId }) =>
          action === 'hold' && reservationId === purchase.reservationId && tokenId !== undefined,
      );
      // The slot is passed on right after the purchase, by the keeper at the latest.
      const again = own.find(
        (asked) =>
          asked.action === 'hold' &&
          isGranted(asked) &&
          asked.tokenId === held?.tokenId &&
          asked.key !== held?.key &&
          asked.at > purchase.until + SPENT_MS,
      );
      if (held === undefined || again === undefined) return [];
      const text = `${purchase.visitor} bought, and held again with the same admission`;
      return [{ promise: 'S09', text, at: again.at, evidence: [purchase, again] }];
    });
  });
}

const SPENT_MS = 5_000;

function checkSeats({ seats, reservations }: ShopEnd, at: number): Violation[] {
  const found: Violation[] = [];
  const owners = new Map<string, ReservationEnd>();
  for (const reservation of reservations.filter(({ state }) => state === 'confirmed'))
    for (const seat of reservation.seats) {
      const key = `${reservation.eventId} ${seat}`;
      const other = owners.get(key);
      if (other !== undefined)
        found.push(
          atEnd('S01', at, `${seat} of ${reservation.eventId} is sold to ${other.visitor} and ${reservation.visitor}`),
        );
      owners.set(key, reservation);
    }
  for (const { eventId, id, state } of seats) {
    const isOwned = owners.has(`${eventId} ${id}`);
    if (isOwned !== (state === 'sold'))
      found.push(
        atEnd('S12', at, `${id} of ${eventId} is ${state}, and ${isOwned ? 'a' : 'no'} confirmed reservation has it`),
      );
  }
  return found;
}

function checkLimits({ reservations }: ShopEnd, { facts, end }: View): Violation[] {
  const live = reservations.filter(({ state }) => state === 'confirmed' || state === 'held');
  return [...groupBy(live, ({ visitor, eventId }) => `${visitor} in ${eventId}`)].flatMap(([who, own]) => {
    const count = own.reduce((sum, { seats }) => sum + seats.length, 0);
    return count <= facts.maxPerPerson
      ? []
      : [atEnd('S04', end!.at, `${who} has ${count} seats; allowed are ${facts.maxPerPerson}`)];
  });
}

/** Money taken is either for exactly one confirmed purchase or given back. */
function checkMoney({ payments, reservations, charges }: ShopEnd, at: number): Violation[] {
  const byOrder = new Map(payments.map((payment) => [payment.orderId, payment]));
  const states = new Map(reservations.map(({ id, state }) => [id, state]));
  const found = charges.flatMap((charge): Violation[] => {
    const payment = byOrder.get(charge.orderId);
    const problem = moneyProblem(charge, payment, payment && states.get(payment.reservationId ?? ''));
    return problem === undefined ? [] : [atEnd('S05', at, `order ${charge.orderId}: ${problem}`)];
  });
  const charged = new Map(charges.map(({ orderId, state }) => [orderId, state]));
  for (const { orderId, state } of payments)
    if (state === 'confirmed' && charged.get(orderId) !== 'captured')
      found.push(atEnd('S05', at, `order ${orderId} is confirmed, and no money was taken`));
  return found;
}

function moneyProblem(
  charge: { amount: number; state: string },
  payment: PaymentEnd | undefined,
  reservation: string | undefined,
): string | undefined {
  if (payment === undefined) return 'money was taken for no payment';
  if (payment.amount !== charge.amount) return `${charge.amount} was taken for ${payment.amount}`;
  if (charge.state === 'captured') {
    if (payment.state !== 'confirmed') return `money was taken and the payment is ${payment.state}`;
    if (reservation !== 'confirmed') return `money was taken and the reservation is ${reservation ?? 'missing'}`;
  }
  if (charge.state === 'refunded' && payment.state !== 'refunded')
    return `money was returned and the payment is ${payment.state}`;
  return undefined;
}

function checkTold({ reservations }: ShopEnd, view: View): Violation[] {
  const states = new Map(reservations.map(({ id, state }) => [id, state]));
  return view.shop
    .filter(({ action, status }) => action === 'confirm' && status === 200)
    .flatMap((asked): Violation[] => {
      const isCancelled = (view.shopBy.get(asked.visitor) ?? []).some(
        ({ action, reservationId }) => action === 'cancel' && reservationId === asked.reservationId,
      );
      const state = states.get(asked.reservationId ?? '');
      if (state === 'confirmed' || isCancelled) return [];
      const text = `${asked.visitor} was told that the payment succeeded, and the reservation is ${state ?? 'missing'}`;
      return [{ promise: 'S06', text, at: asked.at, evidence: [asked] }];
    });
}

function checkDeclined({ charges }: ShopEnd, view: View): Violation[] {
  const captured = new Set(charges.filter(({ state }) => state === 'captured').map(({ orderId }) => orderId));
  return view.shop
    .filter(
      ({ action, code, orderId }) => action === 'confirm' && code === 'PAYMENT_DECLINED' && captured.has(orderId ?? ''),
    )
    .map((asked) => ({
      promise: 'S07' as const,
      text: `the payment of ${asked.visitor} was declined, and the money was taken`,
      at: asked.at,
      evidence: [asked],
    }));
}

function atEnd(promise: Violation['promise'], at: number, text: string): Violation {
  const evidence: Asked[] = [];
  return { promise, text, at, evidence };
}
