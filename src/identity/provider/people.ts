/**
 * Operators of the identity provider. The role is that of the claim, else that of an invitation to their email address. An
 * invitation is looked up with every request, so it can be changed or withdrawn; the role of a claim is valid as long as the
 * session, which an admin can end.
 */
import type { Clock } from '../../platform/clock.ts';
import type { Directory } from '../directory/directory.ts';
import type { OperatorRole } from '../roles/operator-roles.ts';
import type { ProviderOperator } from './provider-claims.ts';

/** The part of an operator that a session carries. */
export interface PersonRef {
  id: string;
  name: string;
  /** The role of the claim; undefined: that of the invitation to `email`. */
  role?: OperatorRole;
  email?: string;
}

export interface Invitation {
  role: OperatorRole;
  invitedAt: number;
  invitedBy: string;
}

export interface Person {
  name: string;
  subject: string;
  email?: string;
  role: OperatorRole;
  by: 'claim' | 'invitation';
  lastSignInAt: number;
  /** Sessions that started until then are over; in seconds. */
  sessionsEndedAt?: number;
}

export type AdmitOutcome = { outcome: 'admitted'; person: PersonRef; role: OperatorRole } | { outcome: 'no-role' };

export interface PeopleOptions {
  directory: Directory;
  clock: Clock;
}

const MOST_INVITATIONS = 1_000;
const MOST_PEOPLE = 1_000;

export class People {
  readonly #options: PeopleOptions;

  constructor(options: PeopleOptions) {
    this.#options = options;
  }

  /** Decides about an operator who has just signed in at the provider, and remembers who did. */
  async admit(operator: ProviderOperator): Promise<AdmitOutcome> {
    const { id, name, email, claimedRole } = operator;
    const role = claimedRole ?? (await this.#invitedRole(email));
    if (role === undefined) return { outcome: 'no-role' };
    await this.#remember(operator, role);
    const reason = claimedRole === undefined ? { email: email! } : { role: claimedRole };
    return { outcome: 'admitted', person: { id, name, ...reason }, role };
  }

  /** The role of a session that started at that time, in seconds; undefined: it is over. */
  async roleOf({ id, role, email }: PersonRef, startedAt: number): Promise<OperatorRole | undefined> {
    const people = await this.#options.directory.read<Person>('person');
    if (startedAt <= (people.get(id)?.sessionsEndedAt ?? -1)) return undefined;
    return role ?? this.#invitedRole(email);
  }

  /** From when on a new session of the person starts, in seconds: after those that were ended. */
  async startOf(id: string): Promise<number> {
    const people = await this.#options.directory.read<Person>('person');
    return Math.max(this.#nowSeconds(), (people.get(id)?.sessionsEndedAt ?? -1) + 1);
  }

  /** False: there are too many invitations. */
  async invite(email: string, role: OperatorRole, invitedBy: string): Promise<boolean> {
    const { directory, clock } = this.#options;
    const known = await directory.read<Invitation>('invitation');
    if (!known.has(email) && known.size >= MOST_INVITATIONS) return false;
    await directory.put('invitation', email, { role, invitedAt: clock.now(), invitedBy } satisfies Invitation);
    return true;
  }

  /** False: there is none. */
  withdraw(email: string): Promise<boolean> {
    return this.#options.directory.remove('invitation', email);
  }

  async listInvitations(): Promise<(Invitation & { email: string })[]> {
    const known = await this.#options.directory.read<Invitation>('invitation');
    return [...known].map(([email, value]) => ({ email, ...value })).sort((a, b) => (a.email < b.email ? -1 : 1));
  }

  /** Those who signed in last come first. */
  async listPeople(): Promise<(Person & { id: string })[]> {
    const known = await this.#options.directory.read<Person>('person');
    return [...known].map(([id, value]) => ({ id, ...value })).sort((a, b) => b.lastSignInAt - a.lastSignInAt);
  }

  /** Ends all sessions of the person in every process; undefined: nobody has this id. */
  async endSessions(id: string): Promise<Person | undefined> {
    const { directory } = this.#options;
    const person = (await directory.read<Person>('person')).get(id);
    if (person === undefined) return undefined;
    const sessionsEndedAt = Math.max(this.#nowSeconds(), (person.sessionsEndedAt ?? -1) + 1);
    await directory.put('person', id, { ...person, sessionsEndedAt } satisfies Person);
    return person;
  }

  async #invitedRole(email: string | undefined): Promise<OperatorRole | undefined> {
    if (email === undefined) return undefined;
    return this.#options.directory.search<Invitation, OperatorRole>('invitation', (known) => known.get(email)?.role);
  }

  async #remember(operator: ProviderOperator, role: OperatorRole): Promise<void> {
    const { directory, clock } = this.#options;
    const { id, name, subject, email, claimedRole } = operator;
    const people = await directory.read<Person>('person');
    const known = people.get(id);
    if (known === undefined && people.size >= MOST_PEOPLE) {
      const oldest = (await this.listPeople()).at(-1)!;
      await directory.remove('person', oldest.id);
    }
    const person: Person = {
      ...{ name, subject, role, by: claimedRole === undefined ? 'invitation' : 'claim', lastSignInAt: clock.now() },
      ...(email === undefined ? {} : { email }),
      ...(known?.sessionsEndedAt === undefined ? {} : { sessionsEndedAt: known.sessionsEndedAt }),
    };
    await directory.put('person', id, person);
  }

  #nowSeconds(): number {
    return Math.floor(this.#options.clock.now() / 1000);
  }
}
