/** How the operators' endpoints show live entries. */
import { type Static, Type } from 'typebox';
import type { AccessEntry } from '../../decision/access-entries.ts';
import { EVERYWHERE, type Group, groups, type LiveEntry } from '../live-entries.ts';

const Texts = Type.Array(Type.String());

export const AccessAnswer = Type.Object(
  {
    id: Type.String(),
    group: Type.Unsafe<Group>({ type: 'string', enum: [...groups] }),
    everywhere: Type.Boolean({ description: 'in force in all rooms' }),
    createdAt: Type.String(),
    expiresAt: Type.Optional(Type.String()),
    about: Type.Optional(Type.String()),
    effect: Type.Optional(Type.String({ description: 'of a rule: bypass, block or allow-only' })),
    addresses: Type.Optional(Texts),
    header: Type.Optional(Type.String({ description: 'the name; the secret is not kept' })),
    cookie: Type.Optional(Type.String({ description: 'the name; the secret is not kept' })),
    methods: Type.Optional(Texts),
    paths: Type.Optional(Texts),
    crawler: Type.Optional(Texts),
    visitor: Type.Optional(Type.String({ description: 'of a ban or an ejection' })),
    events: Type.Optional(Texts),
    name: Type.Optional(Type.String({ description: 'of a staff pass' })),
    isOpened: Type.Optional(Type.Boolean({ description: 'of a staff pass: whether a device has opened the link' })),
    isRevoked: Type.Optional(Type.Boolean()),
  },
  { title: 'AccessEntry' },
);
export type AccessAnswer = Static<typeof AccessAnswer>;

export function toAccessAnswer(entry: LiveEntry): AccessAnswer {
  const { id, group, eventId, createdAt, expiresAt, about } = entry;
  return {
    id,
    group,
    everywhere: eventId === EVERYWHERE,
    createdAt: new Date(createdAt).toISOString(),
    ...(expiresAt === undefined ? {} : { expiresAt: new Date(expiresAt).toISOString() }),
    ...(about === undefined ? {} : { about }),
    ...toParts(entry),
  };
}

function toParts(entry: LiveEntry): Partial<AccessAnswer> {
  switch (entry.group) {
    case 'rule':
      return toRuleParts(entry.entry);
    case 'ban':
      return {
        ...(entry.visitor === undefined ? {} : { visitor: entry.visitor }),
        ...(entry.addresses === undefined ? {} : { addresses: [...entry.addresses] }),
      };
    case 'eject':
      return { visitor: entry.visitor };
    case 'link':
      return { events: [...entry.events], name: entry.name, isOpened: false, isRevoked: false };
    case 'pass':
      return { events: [...entry.events], name: entry.name, isOpened: true, isRevoked: entry.isRevoked };
  }
}

function toRuleParts(entry: Omit<AccessEntry, 'id'>): Partial<AccessAnswer> {
  const { effect, addresses, header, cookie, methods, paths, crawler } = entry;
  return {
    effect,
    ...(addresses && { addresses: [...addresses] }),
    ...(header && { header: header.name }),
    ...(cookie && { cookie: cookie.name }),
    ...(methods && { methods: [...methods] }),
    ...(paths && { paths: [...paths] }),
    ...(crawler && { crawler: [...crawler] }),
  };
}
