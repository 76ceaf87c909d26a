/** Derives from the settings schema how the operator page edits each room setting. */
import type { SettingFact } from '../admin/api/setting-fact.ts';

/** The parts of a JSON schema that are used here. */
interface Schema {
  type?: string;
  format?: string;
  minimum?: number;
  exclusiveMinimum?: number;
  maximum?: number;
  maxLength?: number;
  anyOf?: { const?: unknown }[];
}

/** Settings that have their own controls and are not fields of the form. */
const ELSEWHERE = ['state', 'message', 'failOpen', 'followHealth', 'ignoreHealthUntil'];

export function toSettingFacts(properties: Record<string, unknown>): SettingFact[] {
  return Object.entries(properties)
    .filter(([name]) => !ELSEWHERE.includes(name))
    .map(([name, schema]) => toFact(name, schema as Schema));
}

function toFact(name: string, schema: Schema): SettingFact {
  if (schema.anyOf !== undefined)
    return { name, kind: 'choice', options: schema.anyOf.map((one) => String(one.const)) };
  if (schema.type === 'boolean') return { name, kind: 'choice', options: ['true', 'false'] };
  if (schema.format === 'date-time') return { name, kind: 'time' };
  if (schema.type === 'string') return { name, kind: 'text', maxLength: schema.maxLength ?? 1_000 };
  const { minimum, exclusiveMinimum, maximum } = schema;
  return {
    name,
    kind: name.endsWith('Ms') ? 'duration' : 'number',
    isWhole: schema.type === 'integer',
    isAbove: exclusiveMinimum !== undefined,
    min: minimum ?? exclusiveMinimum ?? 0,
    max: maximum ?? Number.MAX_SAFE_INTEGER,
  };
}
