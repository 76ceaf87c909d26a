/** values.yaml, its schema, its description in README.md and the templates name the same values. */
import { existsSync, lstatSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { knownSettings, secretNames } from './known-settings.ts';

const root = join(import.meta.dirname, '../..');
const folder = join(root, 'deploy/helm/fairline');
const read = (path: string) => readFileSync(join(folder, path), 'utf8');
const templates = readdirSync(join(folder, 'templates'))
  .map((file) => read(`templates/${file}`))
  .join('\n');
const documented = [
  ...read('README.md')
    .split('\n## Values\n')[1]!
    .matchAll(/^\| `([\w.]+)` \|/gm),
].map(([, path]) => path!);
const schema = JSON.parse(read('values.schema.json')) as Schema;

interface Schema {
  $ref?: string;
  properties?: Record<string, Schema>;
  additionalProperties?: boolean | Schema;
  propertyNames?: { allOf: [{ pattern: string }, { not: { pattern: string } }, { not: { enum: string[] } }] };
  definitions?: Record<string, Schema>;
}

/** Paths of all values that the chart knows, such as `line.replicas`. Maps that are the reader's own count as one. */
const paths = leavesOf(parse(read('values.yaml')));

function leavesOf(value: unknown, path = ''): string[] {
  const isOwn = /^(settings|.*(annotations|resources|labels))$/.test(path);
  if (typeof value !== 'object' || value === null || Array.isArray(value) || isOwn) return [path];
  const entries = Object.entries(value);
  if (entries.length === 0) return [path];
  return entries.flatMap(([name, inner]) => leavesOf(inner, path === '' ? name : `${path}.${name}`));
}

function schemaAt(path: string): Schema | undefined {
  return path.split('.').reduce<Schema | undefined>((at, name) => {
    const inner = at?.properties?.[name];
    return inner?.$ref === undefined ? inner : schema.definitions![inner.$ref.replace('#/definitions/', '')];
  }, schema);
}

/** Whether a template uses the value: by its whole path, or by its end inside a `with` or a helper. */
function isUsed(path: string): boolean {
  const [name, ...parents] = path.split('.').reverse() as [string, ...string[]];
  return (
    templates.includes(`.${path}`) || (parents.length > 0 && new RegExp(`\\.${name}\\b|"${name}"`).test(templates))
  );
}

describe('the values of the chart', () => {
  it('are all described in README.md, and nothing else is', () => {
    expect([...documented].sort()).toEqual([...paths].sort());
  });

  it('are all used by a template', () => {
    expect(paths.filter((path) => !isUsed(path))).toEqual([]);
  });

  it('are all in the schema, and the schema has no others', () => {
    expect(paths.filter((path) => schemaAt(path) === undefined)).toEqual([]);
    const inSchema = Object.keys(schema.properties!).filter((name) => name !== 'global');
    expect(inSchema.sort()).toEqual(Object.keys(parse(read('values.yaml'))).sort());
  });

  it('are refused by the schema if they are unknown, at every level', () => {
    const open = [...new Set(paths.flatMap(parentsOf))].filter(
      (path) => schemaAt(path)?.additionalProperties !== false,
    );
    expect([open, schema.additionalProperties]).toEqual([[], false]);
  });

  it('take every setting that is neither a secret nor set by the chart', () => {
    const [shape, secrets, own] = schema.properties!.settings!.propertyNames!.allOf;
    const isTaken = (name: string) =>
      new RegExp(shape.pattern).test(name) &&
      !new RegExp(secrets.not.pattern).test(name) &&
      !own.not.enum.includes(name);
    expect([...secretNames].filter(isTaken)).toEqual([]);
    const refused = [...knownSettings].filter((name) => !isTaken(name) && !secretNames.has(name));
    expect(refused.filter((name) => !templates.includes(name))).toEqual([]);
    expect(own.not.enum.filter((name) => !knownSettings.has(name))).toEqual([]);
  });
});

describe('the chart', () => {
  it('has the alerts of deploy/prometheus as a link, so that there is one source', () => {
    const path = join(folder, 'files/alerts.yaml');
    expect(lstatSync(path).isSymbolicLink() && existsSync(path)).toBe(true);
  });

  it('leads the same paths to the shop as the nginx of compose.yaml', () => {
    const nginx = readFileSync(join(root, 'deploy/compose/nginx.conf'), 'utf8');
    const ofNginx = [...nginx.matchAll(/location ~ \^(\S+) \{\s+proxy_pass http:\/\/shop;/g)].map(([, path]) => path!);
    const paths = [...read('templates/_paths.tpl').matchAll(/^- (\S+)$/gm)].map(([, path]) => path!);
    // The chart's match whole paths.
    const whole = ofNginx.map((path) => path.replace('(/|$)', '(/.*)?').replace(/\$\)$/, ')$'));
    expect(paths).toEqual(whole);
    expect(paths).toHaveLength(2);
  });

  it('installs the version of this package', () => {
    const { version, appVersion } = parse(read('Chart.yaml')) as { version: string; appVersion: string };
    const released = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { version: string };
    expect([version, appVersion]).toEqual([released.version, released.version]);
  });
});

function parentsOf(path: string): string[] {
  const names = path.split('.').slice(0, -1);
  return names.map((_name, index) => names.slice(0, index + 1).join('.'));
}
