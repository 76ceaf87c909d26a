/** The people that a reservation admits: one per seat, and one per standing ticket. Numbered from 1 in the order of the items. */
export function toEntries<Item extends { seatId: string } | { quantity: number }>(items: readonly Item[]): Item[] {
  return items.flatMap((item): Item[] =>
    'seatId' in item ? [item] : Array.from({ length: item.quantity }, () => ({ ...item, quantity: 1 })),
  );
}
