/** Lot sources in this process, from its start on. */
import { type LotSource, type LotSources, MOST_ADDRESSES, MOST_REPORTED } from '../lot-sources.ts';

interface Sources {
  lots: number;
  dropped: number;
  byAddress: Map<string, LotSource>;
}

export function createMemoryLotSources(mostAddresses = MOST_ADDRESSES): LotSources {
  const rooms = new Map<string, Sources>();
  return {
    async add(eventId, sources) {
      const room = rooms.get(eventId) ?? { lots: 0, dropped: 0, byAddress: new Map() };
      rooms.set(eventId, room);
      for (const source of sources) addOne(room, source);
      if (room.byAddress.size > mostAddresses) dropSmallest(room, mostAddresses);
    },
    async find(eventId) {
      const { lots = 0, dropped = 0, byAddress = new Map<string, LotSource>() } = rooms.get(eventId) ?? {};
      const all = [...byAddress.values()].sort(byLots);
      const singles = all.filter((source) => source.lots === 1).length;
      return {
        lots,
        addresses: all.length + dropped,
        singles: singles + dropped,
        largest: all.slice(0, MOST_REPORTED),
      };
    },
    async forget(eventId) {
      rooms.delete(eventId);
    },
  };
}

function addOne(room: Sources, { address, lots, from, to }: LotSource): void {
  const known = room.byAddress.get(address);
  room.lots += lots;
  room.byAddress.set(address, { address, lots: (known?.lots ?? 0) + lots, from: known?.from ?? from, to });
}

/** A tenth more than necessary, so that it happens seldom. */
function dropSmallest(room: Sources, most: number): void {
  const all = [...room.byAddress.values()].sort(byLots);
  const kept = all.slice(0, most - Math.floor(most / 10));
  room.dropped += all.length - kept.length;
  room.byAddress = new Map(kept.map((source) => [source.address, source]));
}

/** Most lots first; among equals by their hash, which is as good as random. */
function byLots(a: LotSource, b: LotSource): number {
  return b.lots - a.lots || (a.address < b.address ? 1 : -1);
}
