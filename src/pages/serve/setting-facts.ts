/** What the operators' page has to know of the settings of a room, from their schema. */
import type { SettingFact } from '../admin/api/setting-fact.ts';

/** As much of a schema as matters here. */
interface Schema {
  type?: string;
  format?: string;
  minimum?: number;
  exclusiveMinimum?: number;
  maximum?: number;
  anyOf?: { const?: unknown }[];
}

/** Settings that are no field of the form: they have controls of their own. */
const ELSEWHERE = ['state', 'message'];

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
