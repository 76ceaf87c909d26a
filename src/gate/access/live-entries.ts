/**
 * What operators change while a sale runs, as it is stored and as gates fetch it: access entries, bans, ejections, and staff
 * passes that were opened.
 */
import { type AccessEntry, checkAddresses, readAccessEntry, type SecretCondition } from '../decision/access-entries.ts';
import type { AccessLists } from '../decision/judge-access.ts';
import { EVENT_ID, isObject } from '../decision/rule-syntax.ts';

/** As `eventId`: every room. */
export const EVERYWHERE = '*';
export const groups = ['rule', 'ban', 'eject', 'link', 'pass'] as const;
export type Group = (typeof groups)[number];

interface Common {
  id: string;
  /** `*`: every room. */
  eventId: string;
  createdAt: number;
  /** undefined: until it is removed. */
  expiresAt?: number;
  /** The operator's note: what it is for. */
  about?: string;
}

/** `entry` has neither id nor events nor end: those of the live entry count. Secrets are hashes. */
export interface LiveRule extends Common {
  group: 'rule';
  entry: Omit<AccessEntry, 'id' | 'events' | 'expiresAt'>;
}
export interface LiveBan extends Common {
  group: 'ban';
  visitor?: string;
  addresses?: readonly string[];
}
/** An admission that was ended; kept until its token cannot be valid any more. */
export interface LiveEjection extends Common {
  group: 'eject';
  visitor: string;
  tokenId: string;
}
/** A staff link that was opened. Its id is that of the pass. */
export interface LivePass extends Common {
  group: 'pass';
  events: readonly string[];
  name: string;
  isRevoked: boolean;
}
/** A staff link that an operator created on the page; it has the id of its pass. For the list only. */
export interface LiveLink extends Common {
  group: 'link';
  events: readonly string[];
  name: string;
}
export type LiveEntry = LiveRule | LiveBan | LiveEjection | LiveLink | LivePass;

/** How many entries of one group a room has at most. */
export const MOST_PER_GROUP = 1_000;
/** Over all rooms and groups: what a gate holds in memory. */
export const MOST_ENTRIES = 20_000;

const ID = /^[A-Za-z0-9_-]{1,40}$/;

export function isCurrent({ expiresAt }: LiveEntry, now: number): boolean {
  return expiresAt === undefined || now < expiresAt;
}

/** `fixed`: the entries of the rules file. */
export function toLists(live: readonly LiveEntry[], fixed: readonly AccessEntry[] = []): AccessLists {
  const of = <G extends Group>(group: G) =>
    live.filter((entry): entry is Extract<LiveEntry, { group: G }> => entry.group === group);
  return {
    entries: [...fixed, ...of('rule').map(toAccessEntry)],
    bans: of('ban').map(({ eventId, visitor, addresses, expiresAt }) => ({
      eventId: eventId === EVERYWHERE ? undefined : eventId,
      visitor,
      addresses,
      expiresAt,
    })),
    ejections: of('eject'),
    revokedPasses: of('pass').flatMap(({ id, isRevoked }) => (isRevoked ? [id] : [])),
  };
}

function toAccessEntry({ id, eventId, entry, expiresAt }: LiveRule): AccessEntry {
  return {
    ...entry,
    id,
    ...(eventId === EVERYWHERE ? {} : { events: [eventId] }),
    ...(expiresAt === undefined ? {} : { expiresAt }),
  };
}

/** undefined if the text is no entry. */
export function parseLiveEntry(text: string): LiveEntry | undefined {
  try {
    return readLiveEntry(JSON.parse(text));
  } catch {
    return undefined;
  }
}

/** Reads an entry from a store or from the line. undefined if it is malformed: it then has no effect. */
export function readLiveEntry(json: unknown): LiveEntry | undefined {
  if (!isObject(json) || !groups.includes(json.group as Group)) return undefined;
  const { id, eventId, createdAt, expiresAt, about } = json;
  const isCommon =
    typeof id === 'string' &&
    ID.test(id) &&
    typeof eventId === 'string' &&
    (eventId === EVERYWHERE || EVENT_ID.test(eventId)) &&
    typeof createdAt === 'number' &&
    (expiresAt === undefined || typeof expiresAt === 'number') &&
    (about === undefined || typeof about === 'string');
  return isCommon && isGroup(json) ? (json as unknown as LiveEntry) : undefined;
}

function isGroup(json: Record<string, unknown>): boolean {
  const { group, visitor, tokenId, events, name, isRevoked, entry } = json;
  if (group === 'ban') return isBan(json);
  if (group === 'eject') return typeof visitor === 'string' && typeof tokenId === 'string';
  if (group === 'link') return Array.isArray(events) && typeof name === 'string';
  if (group === 'pass') return Array.isArray(events) && typeof name === 'string' && typeof isRevoked === 'boolean';
  return isRule(entry, json.eventId as string);
}

function isBan({ visitor, addresses }: Record<string, unknown>): boolean {
  let isRight = (visitor === undefined) !== (addresses === undefined);
  if (addresses === undefined) return isRight && typeof visitor === 'string' && visitor !== '';
  checkAddresses(addresses, '', (isOk) => {
    isRight &&= isOk;
    return isOk;
  });
  return isRight;
}

/** Validated as in a rules file; a hash has the form of a secret. */
function isRule(entry: unknown, eventId: string): boolean {
  if (!isObject(entry)) return false;
  let isRight = true;
  const plain = (field: unknown) => {
    const { name, secret } = field as SecretCondition;
    return { name, secret: isObject(secret) && 'hash' in secret ? secret.hash : undefined };
  };
  const given = {
    ...entry,
    ...(eventId === EVERYWHERE ? {} : { events: [eventId] }),
    ...(isObject(entry.header) ? { header: plain(entry.header) } : {}),
    ...(isObject(entry.cookie) ? { cookie: plain(entry.cookie) } : {}),
  };
  readAccessEntry(given, '', (isOk) => {
    isRight &&= isOk;
    return isOk;
  });
  return isRight;
}
