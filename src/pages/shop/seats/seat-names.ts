/** Names and prices of the seats of a map. */
import { seatName } from '../shared/words.ts';
import { accessOf, findSeat, rowLabelOf, type SeatAt, seatLabelOf } from './seat-map/hall.ts';
import type { SeatMap } from './use-seat-map.ts';

export function nameOf({ hall }: SeatMap, seatId: string): string {
  const seat = findSeat(hall, seatId);
  return seat === undefined ? seatId : nameOfSeat(seat);
}

export function nameOfSeat(seat: SeatAt): string {
  const { section } = seat.block;
  const access = accessOf(seat);
  return seatName({
    sectionName: section.name,
    rowLabel: rowLabelOf(section, seat.row),
    seatLabel: seatLabelOf(section, seat.number),
    ...(section.kind && { kind: section.kind }),
    ...(access && { access }),
  });
}

export function priceOf({ hall }: SeatMap, seatId: string): number {
  return findSeat(hall, seatId)?.block.section.price ?? 0;
}

export function sumOf(map: SeatMap, seatIds: readonly string[]): number {
  return seatIds.reduce((sum, id) => sum + priceOf(map, id), 0);
}

export function isFreeIn({ hall }: SeatMap, seatId: string): boolean {
  const seat = findSeat(hall, seatId);
  return seat?.block.section.seats[seat.row]?.[seat.number] === '0';
}

export function countFreeIn({ hall }: SeatMap): number {
  return hall.blocks.reduce((sum, { section }) => sum + section.seats.join('').split('0').length - 1, 0);
}
