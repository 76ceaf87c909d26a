/**
 * The role that carries records from the outbox to the log. A record leaves the outbox only when it is in the log, so a
 * relay that dies between the two leaves it to be carried again. Every relay carries a lane from its first record on,
 * so that whoever is first to carry a record has carried all before it: even two relays on one lane, after one was
 * taken for dead, keep the order of first arrivals.
 */
import type { Outbox } from './outbox.ts';
import type { RecordLog } from './record-log.ts';

export interface RelayOptions {
  outbox: Pick<Outbox, 'takeLane'>;
  log: Pick<RecordLog, 'publish'>;
  onRelayed?: (count: number) => void;
}

export async function runRelayOnce({ outbox, log, onRelayed }: RelayOptions): Promise<'done' | 'again'> {
  const lane = await outbox.takeLane();
  if (lane === undefined) return 'done';
  try {
    await log.publish(lane.waiting);
    await lane.remove(lane.waiting);
    onRelayed?.(lane.waiting.length);
  } finally {
    await lane.release();
  }
  return 'again';
}
