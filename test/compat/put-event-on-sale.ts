import type { Context } from '../../src/compose/context.ts';

const DAY_MS = 86_400_000;

/** The event `concert` with two rows of ten seats and 100 standing tickets, for sale. */
export async function putEventOnSale({ shop }: Context): Promise<void> {
  const { events } = shop!;
  const sections = [{ id: 'A', name: 'Stalls', rows: 2, seatsPerRow: 10, price: 50_000 }];
  const standing = [{ id: 'F', name: 'Floor', quantity: 100, price: 30_000 }];
  await events.putLayout('hall', { name: 'Hall', sections, standing });
  const startsAt = new Date(Date.now() + 30 * DAY_MS).toISOString();
  await events.putEvent('concert', { title: 'Concert', artist: 'The Band', venue: 'Hall', startsAt });
  await events.generateSeats('concert', 'hall');
  await events.openEvent('concert');
}
