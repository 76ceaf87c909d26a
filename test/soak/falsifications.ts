/** Ways to falsify the honest history, each with the promise that it breaks. */
import type {
  Asked,
  DoorAction,
  Ended,
  Faulted,
  History,
  HistoryEntry,
  Operated,
  ShopAsked,
  ShopEnd,
} from './history.ts';
import { at, record } from './honest-history.ts';
import type { PromiseNo } from './oracle/promises.ts';

export type Falsify = (history: History) => void;

const find = <K extends HistoryEntry['kind']>(
  { entries }: History,
  kind: K,
  holds: (entry: Extract<HistoryEntry, { kind: K }>) => boolean = () => true,
) => {
  const found = entries.find(
    (entry): entry is Extract<HistoryEntry, { kind: K }> => entry.kind === kind && holds(entry as never),
  );
  if (found === undefined) throw new Error(`the history has no such ${kind}`);
  return found;
};
/** The `no`-th request of this kind by this visitor. */
export const askedBy = (history: History, visitor: string, action: DoorAction, no = 0): Asked => {
  const own = history.entries.filter(
    (entry): entry is Asked => entry.kind === 'asked' && entry.visitor === visitor && entry.action === action,
  );
  return own.at(no)!;
};
const bought = (history: History, visitor: string, action: ShopAsked['action']) =>
  find(history, 'shop', (entry) => entry.visitor === visitor && entry.action === action);
const endOf = (history: History): Ended => find(history, 'end');
const shopOf = (history: History) => endOf(history).shop as ShopEnd & { [K in keyof ShopEnd]: ShopEnd[K] };
const drop = (history: History, entry: HistoryEntry) => history.entries.splice(history.entries.indexOf(entry), 1);
const add = (history: History, ...entries: HistoryEntry[]) => history.entries.push(...entries);
const copy = <T extends HistoryEntry>(entry: T, changes: Partial<T>): T => ({ ...structuredClone(entry), ...changes });
export const set = <T extends object>(target: T, changes: Partial<T>) => Object.assign(target, changes);
const later = (entry: Asked, seconds: number, changes: Partial<Asked>): Asked =>
  copy(entry, { at: entry.at + seconds * 1_000, until: entry.until + seconds * 1_000, ...changes });

export const falsified: [PromiseNo, string, Falsify][] = [
  [
    'L01',
    'a third visitor is inside a room for two',
    (h) =>
      set(
        find(h, 'sample', ({ inside }) => inside === 2),
        { inside: 3 },
      ),
  ],
  [
    'L01',
    'somebody is admitted after the limit was lowered below those inside',
    (h) => {
      const put = find(h, 'operated', ({ eventId }) => eventId === 'hall-1');
      add(h, copy(put, { at: at(3.6), until: at(3.65), settings: { maxActive: 1 } }));
      add(h, copy(find(h, 'sample'), { at: at(3.8), until: at(3.8), inside: 1 }));
    },
  ],
  [
    'L02',
    'a later join gets a lower number',
    (h) => {
      set(askedBy(h, 'anna', 'join').said!, { number: 9 });
      drop(h, askedBy(h, 'anna', 'leave'));
    },
  ],
  [
    'L03',
    'dora is admitted before carl, who is there',
    (h) => {
      const [first, second] = h.entries.filter((entry) => entry.kind === 'entry' && entry.eventId === 'hall-1');
      set(first!, { number: 4 });
      set(second!, { number: 3 });
      add(h, later(askedBy(h, 'carl', 'status'), 3.05, {}));
      drop(h, askedBy(h, 'carl', 'status', 1));
      drop(h, askedBy(h, 'carl', 'status', 1));
    },
  ],
  [
    'L03',
    'a newcomer goes straight in while tina waits',
    (h) =>
      add(
        h,
        later(askedBy(h, 'tina', 'join'), 5, {
          visitor: 'vera',
          said: { state: 'inside', number: 32, tokenId: 't.32', expiresAt: at(226) },
        }),
      ),
  ],
  ['L04', 'a waiting visitor is told another number', (h) => set(askedBy(h, 'carl', 'status').said!, { number: 33 })],
  [
    'L04',
    'joining again makes a second place',
    (h) => {
      const join = askedBy(h, 'emil', 'join');
      add(h, later(join, 0.5, { said: { state: 'waiting', number: 66 } }));
    },
  ],
  [
    'L05',
    'two visitors have one number',
    (h) => {
      for (const entry of h.entries)
        if (entry.kind === 'asked' && entry.visitor === 'ben' && entry.said) entry.said.number = 1;
    },
  ],
  [
    'L06',
    'a visitor who polls is told that the place is gone',
    (h) => set(askedBy(h, 'tina', 'status', 5), { said: { state: 'gone' } }),
  ],
  [
    'L06',
    'a visitor of a claim room who polls is told that the place is gone',
    (h) => set(askedBy(h, 'kim', 'claim-status'), { said: { state: 'gone' } }),
  ],
  [
    'R07',
    'a place is gone after Redis was killed',
    (h) => set(askedBy(h, 'emil', 'status', 3), { said: { state: 'gone' } }),
  ],
  [
    'L07',
    'a slot stays taken when everyone has gone',
    (h) => set(endOf(h), { rooms: [{ eventId: 'hall-1', waiting: 0, admitted: 0, active: 1 }] }),
  ],
  [
    'L08',
    'a slot stays free while tina waits',
    (h) => {
      for (const entry of h.entries) if (entry.kind === 'sample' && entry.at > at(199)) entry.inside = 1;
    },
  ],
  [
    'L08',
    'a slot stays free while tina waits, for longer than an admitter stood still',
    (h) => {
      for (const entry of h.entries) if (entry.kind === 'sample' && entry.at > at(199)) entry.inside = 1;
      add(h, { kind: 'stall', at: at(202), until: at(204), process: 'admitter-1.1' });
    },
  ],
  [
    'L08',
    'a slot stays free while tina waits, and an admitter hangs for good',
    (h) => {
      const end = h.entries.findIndex((entry) => entry.kind === 'entry' && entry.number === 31);
      h.entries.splice(end, 3);
      const { length } = h.entries;
      for (const entry of h.entries.slice(0, length)) {
        if (entry.kind === 'sample' && entry.at > at(199)) {
          entry.inside = 1;
          add(h, ...[15_000, 30_000].map((ms) => copy(entry, { at: entry.at + ms, until: entry.until + ms })));
        }
        if (entry.kind === 'asked' && entry.visitor === 'tina') add(h, later(entry, 15, {}), later(entry, 30, {}));
      }
      add(h, { kind: 'stall', at: at(199), until: at(400), process: 'admitter-1.1' });
    },
  ],
  [
    'L08',
    'a slot stays free while tina waits, and a line process does not answer',
    (h) => {
      for (const entry of h.entries) if (entry.kind === 'sample' && entry.at > at(199)) entry.inside = 1;
      add(h, { kind: 'stall', at: at(199), until: at(400), process: 'line-1.1' });
    },
  ],
  [
    'L09',
    'carl is inside and is told to wait by another process',
    (h) => set(askedBy(h, 'carl', 'status', 2), { said: { state: 'waiting', number: 3 } }),
  ],
  [
    'L09',
    'dora was told by the stream and is told to wait by a poll',
    (h) =>
      add(
        h,
        later(askedBy(h, 'dora', 'stream-event', -1), 0.3, { action: 'status', said: { state: 'waiting', number: 4 } }),
      ),
  ],
  [
    'L10',
    'carl is inside and is told that the place is gone',
    (h) => set(askedBy(h, 'carl', 'status', 2), { said: { state: 'gone' } }),
  ],
  [
    'L11',
    'the token id changes from one response to the next',
    (h) => set(askedBy(h, 'carl', 'status', 2).said!, { tokenId: 't.99' }),
  ],
  ['L12', 'a forged entry token holds seats', (h) => set(bought(h, 'paul', 'hold'), { tokenId: 'forged' })],
  ['L12', 'a forged cookie admits', (h) => set(askedBy(h, 'ben', 'join').said!, { tokenId: 'mine' })],
  [
    'L13',
    'a number is admitted twice, 70 ms apart',
    (h) => {
      const entry = find(h, 'entry', ({ eventId }) => eventId === 'hall-1');
      add(h, copy(entry, { at: entry.at + 70, id: `${entry.at + 70}-0` }));
    },
  ],
  ['L14', 'an unknown event can be joined', (h) => set(askedBy(h, 'stranger', 'join'), { status: 200 })],
  ['L14', 'an unknown event leaves a key', (h) => set(endOf(h), { strayKeys: ['{unknown-7}:room'] })],
  [
    'L15',
    'kim is ready, enters in time and is refused',
    (h) => set(askedBy(h, 'kim', 'enter', 1), { status: 410, code: 'PLACE_GONE', said: undefined as never }),
  ],
  [
    'L16',
    'kim enters though nobody was made ready',
    (h) => {
      const early = askedBy(h, 'kim', 'enter');
      set(early, { status: 200, said: { state: 'inside', tokenId: 'g.1' } });
    },
  ],
  [
    'L17',
    'somebody is admitted while the room is paused',
    (h) => add(h, { kind: 'entry', at: at(41), eventId: 'hall-1', number: 40, id: `${at(41)}-0` }),
  ],
  ['L18', 'a repeated key makes another place', (h) => set(askedBy(h, 'kim', 'claim-join', 1).said!, { place: 'p2' })],
  [
    'L19',
    'max joins without a number while tier 1 is on',
    (h) => set(askedBy(h, 'max', 'join'), { status: 200, said: { state: 'waiting', number: 12 } }),
  ],
  [
    'L19',
    'max joins without a number while tier 1 is on, and switching it off before was refused',
    (h) => {
      set(askedBy(h, 'max', 'join'), { status: 200, said: { state: 'waiting', number: 12 } });
      add(h, switchedOff(h, 503));
    },
  ],
  ['L20', 'lena gets another number than that of tier 1', (h) => set(askedBy(h, 'lena', 'join').said!, { number: 12 })],
  [
    'L20',
    'lena, whose first join was lost, gets a number that was assigned later',
    (h) => {
      set(askedBy(h, 'lena', 'join').said!, { number: 12 });
      add(h, later(askedBy(h, 'lena', 'assign'), -10, { action: 'join', status: 0, said: undefined as never }));
    },
  ],
  [
    'L20',
    'lena, whose first join was refused, gets another number',
    (h) => {
      set(askedBy(h, 'lena', 'join').said!, { number: 10 });
      add(h, later(askedBy(h, 'lena', 'assign'), -10, { action: 'join', status: 403, said: undefined as never }));
    },
  ],
  [
    'L21',
    'a lot gets another number than the draw gives it',
    (h) => set(askedBy(h, 'nora', 'status').said!, { number: 17 }),
  ],
  ['L22', 'the seed was chosen after the announcement', (h) => set(endOf(h).draws[0]!, { announced: '0'.repeat(64) })],
  ['L22', 'a lot changes', (h) => set(askedBy(h, 'olga', 'status').said!, { lot: 'f'.repeat(32) })],
  ['L23', 'gus signs in and loses the place', (h) => set(askedBy(h, 'gus', 'status'), { said: { state: 'gone' } })],
  ['R01', 'a join gets 500', (h) => set(askedBy(h, 'finn', 'join'), { status: 500, code: 'INTERNAL' })],
  [
    'R01',
    'an operator gets 500',
    (h) =>
      set(
        find(h, 'operated', ({ settings }) => settings?.state === 'paused'),
        { status: 500 },
      ),
  ],
  [
    'R02',
    '503 comes without Retry-After',
    (h) => {
      delete askedBy(h, 'finn', 'join').retryAfter;
    },
  ],
  [
    'R03',
    'emil waits and gets 503 while Redis is away',
    (h) => {
      for (const poll of [askedBy(h, 'emil', 'status', 1), askedBy(h, 'emil', 'status', 2)]) {
        set(poll, { status: 503, retryAfter: 1 });
        delete poll.said;
      }
    },
  ],
  [
    'R03',
    'emil waits and gets 503 while Redis is away, and the machine was busy before',
    (h) => {
      for (const poll of [askedBy(h, 'emil', 'status', 1), askedBy(h, 'emil', 'status', 2)]) {
        set(poll, { status: 503, retryAfter: 1 });
        delete poll.said;
      }
      const { at } = find(h, 'fault', ({ fault }) => fault === 'redis-kill');
      add(h, { kind: 'late', at: at - 2_000, until: at - 1_000 });
    },
  ],
  [
    'R04',
    'a stream breaks though its process lives',
    (h) => add(h, later(askedBy(h, 'dora', 'stream-open'), 1, { action: 'stream-end' })),
  ],
  [
    'R05',
    'a process is not ready and does not say why',
    (h) => {
      delete find(h, 'ready').reason;
    },
  ],
  [
    'R06',
    'the system does not come back',
    (h) => {
      delete (find(h, 'fault') as Faulted).recoveredAt;
    },
  ],
  ['R06', 'the system takes two minutes to come back', (h) => set(find(h, 'fault'), { recoveredAt: at(190) })],
  [
    'R08',
    'a process exits by itself',
    (h) => add(h, { kind: 'complaint', at: at(64), process: 'line-1.1', text: 'exited with 1' }),
  ],
  [
    'R09',
    'joins are counted that made no place',
    (h) => set(endOf(h), { joins: [{ eventId: 'hall-1', counted: 99, mayBeIncomplete: false }] }),
  ],
  [
    'R09',
    'places were made that nobody counted',
    (h) => set(endOf(h), { joins: [{ eventId: 'hall-1', counted: 3, mayBeIncomplete: false }] }),
  ],
  [
    'S01',
    'a paid seat is held by somebody else',
    (h) => {
      const hold = bought(h, 'paul', 'hold');
      add(
        h,
        copy(hold, { at: at(95), until: at(95), visitor: 'rosa', reservationId: 'r_9', tokenId: 't.22', key: 'h9' }),
      );
    },
  ],
  [
    'S01',
    'a seat is in two confirmed reservations',
    (h) => {
      const { reservations } = shopOf(h);
      set(reservations[1]!, { state: 'confirmed', seats: ['A-1-1'] });
    },
  ],
  ['S02', 'a hold without an admission', (h) => set(bought(h, 'quin', 'hold'), { tokenId: 't.77' })],
  [
    'S03',
    'the same key makes a second hold',
    (h) => {
      const holds = h.entries.filter(
        (entry): entry is ShopAsked => entry.kind === 'shop' && entry.visitor === 'paul' && entry.action === 'hold',
      );
      set(holds[1]!, { reservationId: 'r_8' });
    },
  ],
  [
    'S04',
    'somebody owns three seats where two are allowed',
    (h) => set(shopOf(h).reservations[0]!, { seats: ['A-1-1', 'A-1-2', 'A-1-3'] }),
  ],
  [
    'S05',
    'money was taken for a cancelled reservation and kept',
    (h) => set(shopOf(h).charges[2]!, { state: 'captured' }),
  ],
  ['S05', 'more was taken than the price', (h) => set(shopOf(h).charges[0]!, { amount: 60_000 })],
  ['S05', 'a confirmed purchase was never charged', (h) => set(shopOf(h), { charges: shopOf(h).charges.slice(1) })],
  [
    'S06',
    'a buyer was told that it worked and has nothing',
    (h) => set(shopOf(h).reservations[0]!, { state: 'expired', seats: [] }),
  ],
  ['S07', 'a declined payment took the money', (h) => set(shopOf(h).charges[1]!, { state: 'captured' })],
  [
    'S08',
    'a held seat is given away before the hold ends',
    (h) => {
      const hold = bought(h, 'quin', 'hold');
      add(
        h,
        copy(hold, { at: at(82), until: at(82), visitor: 'rosa', reservationId: 'r_9', tokenId: 't.22', key: 'h9' }),
      );
    },
  ],
  [
    'S09',
    'a spent admission holds seats again',
    (h) => {
      const hold = bought(h, 'paul', 'hold');
      add(h, copy(hold, { at: at(92), until: at(92), reservationId: 'r_9', key: 'h9', seats: ['A-1-9'] }));
    },
  ],
  [
    'S10',
    'a join gets 503 while only PostgreSQL is away',
    (h) => {
      const join = askedBy(h, 'ines', 'join');
      set(join, { status: 503, code: 'STORE_UNAVAILABLE', retryAfter: 1 });
      delete join.said;
    },
  ],
  [
    'S10',
    'a join gets 503 while only PostgreSQL is away, and the shop stands still',
    (h) => {
      const join = askedBy(h, 'ines', 'join');
      set(join, { status: 503, code: 'STORE_UNAVAILABLE', retryAfter: 1 });
      delete join.said;
      add(h, { kind: 'stall', at: join.at - 2_000, until: join.until, process: 'shop-1.1' });
    },
  ],
  ['S11', 'a hold gets 500', (h) => set(bought(h, 'quin', 'prepare'), { status: 500 })],
  ['S11', 'a hold gets 503 without Retry-After', (h) => set(bought(h, 'quin', 'prepare'), { status: 503 })],
  ['S12', 'a seat is sold that nobody bought', (h) => set(shopOf(h).seats[1]!, { state: 'sold' })],
  [
    'D01',
    'a confirmed payment has no record',
    (h) => {
      h.entries = h.entries.filter(
        (entry) => !(entry.kind === 'record' && entry.text.includes('PAYMENT_CONFIRMED-o_0')),
      );
    },
  ],
  [
    'D01',
    'there is a record of a reservation that was rolled back',
    (h) => add(h, record(40, 'RESERVATION_CREATED', 'r_7', { reservationId: 'r_7', amount: 1 })),
  ],
  [
    'D02',
    'a key is in two partitions',
    (h) =>
      set(
        find(h, 'record', ({ text }) => text.includes('CANCELLED-r_2')),
        { partition: 2 },
      ),
  ],
  [
    'D02',
    'a refund comes before its payment',
    (h) =>
      set(
        find(h, 'record', ({ text }) => text.includes('REFUNDED-o_2')),
        { offset: 5 },
      ),
  ],
  [
    'D03',
    'a repeated record has other contents',
    (h) => {
      const again = find(h, 'record', ({ offset }) => offset === 32);
      set(again, { text: again.text.replace('50000', '60000') });
    },
  ],
  [
    'D04',
    'a record was counted twice',
    (h) => set(shopOf(h).stats!.counts as Record<string, number>, { confirmed: 3 }),
  ],
  ['D04', 'revenue is wrong', (h) => set(shopOf(h).stats!, { revenue: 150_000 })],
  ['D05', 'a record is left in the outbox', (h) => set(shopOf(h), { outbox: 1 })],
  ['D06', 'a record is in a dead-letter topic', (h) => set(shopOf(h), { buried: 1 })],
  [
    'D07',
    'a message lacks its type',
    (h) => {
      const one = find(h, 'record');
      set(one, { text: one.text.replace('"type"', '"kind"') });
    },
  ],
];

/** Shortly before tier 1 is switched on. */
export function switchedOff({ entries }: History, status: number): Operated {
  const on = entries.find((entry): entry is Operated => entry.kind === 'operated' && entry.action === 'tier1-on')!;
  return { ...on, action: 'tier1-off', at: on.at - 2_000, until: on.at - 1_000, status };
}
