/** Turns the errors of the schema validator into one problem per field: what the schema expects, not which branch of a union failed. */
import type { FastifySchemaValidationError } from 'fastify';
import type { FieldProblem } from './field-problem.ts';

interface Described extends Omit<FieldProblem, 'rule'> {
  /** A keyword that has no rule yet is passed on: readers treat an unknown rule as no rule. */
  rule: string;
}

export function toFieldProblems(errors: FastifySchemaValidationError[], context: string): FieldProblem[] {
  const problems = new Map<string, Described[]>();
  for (const error of errors) {
    const described = describeProblem(error);
    problems.set(described.field, [...(problems.get(described.field) ?? []), described]);
  }
  const isParent = (field: string) => [...problems.keys()].some((other) => other.startsWith(`${field}.`));
  return [...problems].filter(([field]) => !isParent(field)).map(([field, found]) => join(field || context, found));
}

function join(field: string, found: readonly Described[]): FieldProblem {
  const messages = new Set(found.map(({ message }) => message).filter((message) => message !== ''));
  return { field, message: `${field} ${[...messages].join(' or ')}`, ...mainRule(found) } as FieldProblem;
}

/** Of the branches of a union: the allowed values together, else the first that is not about null. */
function mainRule(found: readonly Described[]): Pick<Described, 'rule' | 'limit'> {
  const values = found
    .filter(({ rule }) => rule === 'enum')
    .flatMap(({ limit }) => (Array.isArray(limit) ? limit : []));
  if (values.length > 0) return { rule: 'enum', limit: values };
  const said = found.filter(({ message }) => message !== '');
  const { rule, limit } = said.find((one) => one.limit !== 'null') ?? found[0]!;
  return { rule, ...(limit === undefined ? {} : { limit }) };
}

function describeProblem(error: FastifySchemaValidationError): Described {
  const { keyword, params, message = 'is not allowed' } = error;
  const field = error.instancePath.slice(1).replaceAll('/', '.');
  const child = (name: unknown) => (field === '' ? String(name) : `${field}.${String(name)}`);
  switch (keyword) {
    case 'additionalProperties':
      return { field: child(params.additionalProperty), message: 'is not a known field', rule: 'unknown' };
    case 'required':
      return { field: child(params.missingProperty), message: 'is required', rule: 'required' };
    case 'const':
      return {
        field,
        message: `must be ${JSON.stringify(params.allowedValue)}`,
        rule: 'enum',
        limit: [String(params.allowedValue)],
      };
    case 'enum':
      return { field, message, rule: 'enum', limit: (params.allowedValues as unknown[]).map(String) };
    case 'pattern': {
      const pattern = String(params.pattern);
      const expected = descriptionOf(error) ?? `text that matches ${pattern}`;
      return { field, message: `must be ${expected}`, rule: 'pattern', limit: pattern };
    }
    case 'anyOf':
      return { field, message: '', rule: 'anyOf' };
    default:
      return { field, message, rule: keyword, ...limitOf(params) };
  }
}

/** Keywords name what they compare with in different ways. */
function limitOf({ limit, format, type }: Record<string, unknown>): Pick<FieldProblem, 'limit'> {
  const value = limit ?? format ?? type;
  return typeof value === 'number' || typeof value === 'string' ? { limit: value } : {};
}

/** The validator runs with `verbose`, which adds the failed schema; Fastify's type does not include it. */
function descriptionOf(error: FastifySchemaValidationError): string | undefined {
  return (error as { parentSchema?: { description?: string } }).parentSchema?.description;
}
