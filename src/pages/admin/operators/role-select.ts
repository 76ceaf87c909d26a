/** A field to choose a role. */
import { type Role, roles } from '../api/wire.ts';
import type { Desk } from '../controls/desk.ts';
import { createField, type Field, select } from '../controls/field.ts';

/** `more`: other choices, after the roles. */
export function roleField({ texts }: Desk, id: string, more: readonly [string, string][] = []): Field {
  const options = roles.map((role): [string, string] => [role, texts[`role_${role}`]]);
  return createField({ id, label: texts.role, input: select([...options, ...more], 'viewer' satisfies Role) });
}
