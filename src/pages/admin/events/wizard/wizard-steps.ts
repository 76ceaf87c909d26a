/** The steps from nothing to a scheduled sale: which are done, and what is missing before the event can be published. Pure. */
import { salesEndOf } from '../../../../shop/rules/event-phase.ts';
import type { RoomSummary, ShopEvent } from '../../api/wire.ts';

export const wizardSteps = ['details', 'image', 'seats', 'times', 'limits', 'review', 'rehearse'] as const;
export type WizardStep = (typeof wizardSteps)[number];

export type WizardRoom = Pick<RoomSummary, 'settings' | 'overrides' | 'phase'>;
export interface WizardState {
  event: ShopEvent | undefined;
  room: WizardRoom | undefined;
}

export type Missing = 'event' | 'seats' | 'past' | 'ended' | 'limit';
export type Worth = 'onSale' | 'opensAt' | 'free' | 'closed';
export interface Finding<Name> {
  name: Name;
  step: WizardStep;
}

export function isStep(name: string): name is WizardStep {
  return (wizardSteps as readonly string[]).includes(name);
}

export function isDone(step: WizardStep, { event, room }: WizardState): boolean {
  if (event === undefined) return false;
  switch (step) {
    case 'details':
      return true;
    case 'image':
      return event.imageUrl !== null;
    case 'seats':
      return event.seats.total > 0 || event.standing.length > 0;
    case 'times':
      return event.onSaleAt !== null;
    case 'limits':
      return room?.overrides.maxActive !== undefined;
    case 'review':
      return event.state !== 'draft';
    case 'rehearse':
      return false;
  }
}

/** Where to continue: the first step that is open; the poster may be left out. */
export function resumeAt(state: WizardState): WizardStep {
  const needed = wizardSteps.filter((step) => step !== 'image');
  return needed.find((step) => !isDone(step, state)) ?? 'rehearse';
}

/** What keeps the event from being published. */
export function findMissing({ event, room }: WizardState, now: number): Finding<Missing>[] {
  if (event === undefined) return [{ name: 'event', step: 'details' }];
  const hasStarted = Date.parse(event.startsAt) <= now;
  const findings: (Finding<Missing> | false)[] = [
    hasStarted && { name: 'past', step: 'details' },
    !isDone('seats', { event, room }) && { name: 'seats', step: 'seats' },
    !hasStarted && salesEndOf(event) <= now && { name: 'ended', step: 'times' },
    room?.settings.maxActive === 0 && { name: 'limit', step: 'limits' },
  ];
  return findings.filter((finding) => finding !== false);
}

/** What is allowed but often a mistake. */
export function findWorth({ event, room }: WizardState): Finding<Worth>[] {
  if (event === undefined) return [];
  const [opensAt, onSaleAt] = [room?.settings.opensAt, event.onSaleAt];
  const differs = (opensAt === undefined ? 0 : Date.parse(opensAt)) !== (onSaleAt === null ? 0 : Date.parse(onSaleAt));
  const findings: (Finding<Worth> | false)[] = [
    onSaleAt === null && { name: 'onSale', step: 'times' },
    differs && { name: 'opensAt', step: 'limits' },
    event.prices?.low === 0 && { name: 'free', step: 'seats' },
    (room?.phase === 'closed' || room?.phase === 'paused') && { name: 'closed', step: 'limits' },
  ];
  return findings.filter((finding) => finding !== false);
}

/** An id for a new event from its title; letters of other scripts have no place in it, so the day helps. */
export function suggestId(title: string, startsAt: string): string {
  const words = title
    .normalize('NFKD')
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-+|-+$/g, '');
  const day = startsAt.slice(0, 10);
  if (words.length >= 3) return words.slice(0, 64).replace(/-+$/, '');
  return day === '' ? '' : `event-${day}`;
}

/** The command of the last step: a room of its own with the limits of the event, so that the sale is untouched. */
export function rehearseCommand(
  eventId: string,
  url: string,
  { maxActive, admitPerSecond }: { maxActive: number; admitPerSecond?: number | undefined },
  visitors: number,
): string {
  const host = new URL(url).hostname;
  return [
    `npx fairline rehearse ${url}`,
    `--event ${`rehearsal-${eventId}`.slice(0, 64)}`,
    `--visitors ${visitors}`,
    `--limit ${Math.max(1, maxActive)}`,
    ...(admitPerSecond === undefined ? [] : [`--rate ${admitPerSecond}`]),
    ...(/^(localhost|127\.|10\.|192\.168\.|\[?::1)/.test(host) ? [] : [`--i-own ${host}`]),
  ].join(' ');
}
