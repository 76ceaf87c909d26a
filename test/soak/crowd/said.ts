/** What the responses of the doors say about a visitor, in one form. */
import type { Said } from '../history.ts';

// biome-ignore lint/suspicious/noExplicitAny: any response body; only fields that are there are read.
type Body = any;

/** The poll door; undefined if it is not such a response. */
export function fromPoll(body: Body): Said | undefined {
  const { status } = body;
  if (status === 'not_in_queue') return { state: 'gone' };
  if (status !== 'queued' && status !== 'active') return undefined;
  return {
    state: status === 'active' ? 'inside' : stateOfQueued(body),
    ...given({
      number: body.number,
      lane: body.lane,
      lot: body.drawLot,
      tokenId: claimsOf(body.entryToken)?.jti,
      expiresAt: timeOf(body.expiresAt),
      enterBy: timeOf(body.enterBy),
      inside: body.currentUsers,
      limit: body.threshold,
      reason: body.waitReason,
    }),
  };
}

/** The claim door's join and status. */
export function fromClaim(body: Body): Said | undefined {
  const state = ({ waiting: 'waiting', ready: 'ready', entered: 'inside', expired: 'gone' } as const)[
    body.status as 'waiting'
  ];
  if (state === undefined) return undefined;
  return {
    state: state === 'waiting' && body.wait_reason === 'draw' ? 'lobby' : state,
    ...given({
      place: claimsOf(body.waiting_token)?.jti,
      lot: body.draw_lot,
      lane: body.lane,
      enterBy: timeOf(body.enter_by),
      reason: body.wait_reason,
    }),
  };
}

/** The claim door's enter. */
export function fromEnter(body: Body): Said | undefined {
  if (body.admission !== 'granted') return undefined;
  return { state: 'inside', ...given({ tokenId: claimsOf(body.reservation_token)?.jti }) };
}

/** An event of the stream door. */
export function fromEvent(name: string, data: Body): Said | undefined {
  switch (name) {
    case 'position':
      return {
        state: data.waitReason === 'draw' ? 'lobby' : 'waiting',
        ...given({
          number: data.number,
          lane: data.lane,
          lot: data.drawLot,
          inside: data.currentUsers,
          limit: data.threshold,
          reason: data.waitReason,
        }),
      };
    case 'ready':
      return { state: 'ready', ...given({ number: data.number, enterBy: timeOf(data.enterBy) }) };
    case 'admitted':
      return {
        state: 'inside',
        ...given({ tokenId: claimsOf(data.entryToken)?.jti, expiresAt: timeOf(data.expiresAt) }),
      };
    case 'gone':
      return { state: 'gone', reason: data.reason };
    default:
      return undefined;
  }
}

/** The claims of a token, unverified; undefined if it is none. */
export function claimsOf(token: unknown): { jti: string; uid: string } | undefined {
  if (typeof token !== 'string') return undefined;
  try {
    return JSON.parse(Buffer.from(token.split('.')[1] ?? '', 'base64url').toString());
  } catch {
    return undefined;
  }
}

function stateOfQueued({ readyForEntry, waitReason }: Body): Said['state'] {
  if (readyForEntry === true) return 'ready';
  return waitReason === 'draw' ? 'lobby' : 'waiting';
}

function timeOf(text: unknown): number | undefined {
  return typeof text === 'string' ? Date.parse(text) : undefined;
}

type Given<T> = { [K in keyof T]?: Exclude<T[K], undefined> };

/** Without the fields that are undefined. */
function given<T extends Record<string, unknown>>(fields: T): Given<T> {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as Given<T>;
}
