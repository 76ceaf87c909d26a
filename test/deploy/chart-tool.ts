/** Renders, lints and validates the chart with chart-check, a small Go program that is compiled once and kept. */
import { execFileSync, spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, renameSync, rmSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { type KubernetesObject, readObjects } from './kubernetes-object.ts';

const root = join(import.meta.dirname, '../..');
const source = join(import.meta.dirname, 'chart-check');
const cache = join(homedir(), '.cache/fairline');
export const chartFolder = join(root, 'deploy/helm/fairline');

/** The version in chart-check/go.mod. */
const MIN_GO = 26;
export const hasGo = goMinor() >= MIN_GO;

export interface RenderCase {
  values: object;
  release?: string;
  namespace?: string;
  isUpgrade?: boolean;
  /** What `lookup` finds in the cluster. */
  objects?: KubernetesObject[];
  lint?: boolean;
}

export interface Rendering {
  /** Why the chart was not rendered; empty: it was. */
  error: string;
  objects: KubernetesObject[];
  /** All manifests, with their comments. */
  text: string;
  notes: string;
  /** What `helm lint --strict` reports. */
  lint: string[];
  /** What kubeconform reports. */
  problems: string[];
}

/** Compiles for a minute or two of CPU time on a machine that has never done it. */
export function installChartTool(): void {
  if (existsSync(toolPath())) return;
  process.stderr.write('Compiling chart-check for the tests of the Helm chart … ');
  mkdirSync(cache, { recursive: true });
  const dir = mkdtempSync(join(cache, 'chart-check-'));
  // Not optimised: it runs for a second, and compiles in less than half the time.
  const args = ['build', '-gcflags=all=-N -l', '-ldflags=-s -w', '-o', join(dir, 'chart-check'), '.'];
  execFileSync('go', args, { cwd: source, stdio: ['ignore', 'ignore', 'inherit'] });
  // Atomic: others see a complete program or none.
  renameSync(join(dir, 'chart-check'), toolPath());
  rmSync(dir, { recursive: true });
  process.stderr.write('done\n');
}

export function renderAll(cases: readonly RenderCase[]): Rendering[] {
  const request = {
    chart: chartFolder,
    schemas: join(import.meta.dirname, 'schemas'),
    kubeVersion: '1.35.4',
    cases: cases.map((one) => ({ release: 'fairline', namespace: 'sale', ...one })),
  };
  const output = execFileSync(toolPath(), { input: JSON.stringify(request), encoding: 'utf8', maxBuffer: 2 ** 27 });
  return (JSON.parse(output) as Answer[]).map(({ files, lint, problems, error, notes }) => {
    const text = Object.entries(files ?? {})
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(([path, content]) => `---\n# Source: ${path}\n${content.trim().replace(/^---\n/, '')}\n`)
      .join('');
    return { error, notes, text, objects: readObjects(text), lint: lint ?? [], problems: problems ?? [] };
  });
}

export function render(values: object, more: Omit<RenderCase, 'values'> = {}): Rendering {
  return renderAll([{ values, ...more }])[0]!;
}

/** As chart-check writes it. */
interface Answer {
  error: string;
  files: Record<string, string> | null;
  notes: string;
  lint: string[] | null;
  problems: string[] | null;
}

/** Another one for every change of its source. */
function toolPath(): string {
  const hash = createHash('sha256');
  for (const path of readdirSync(source, { recursive: true, encoding: 'utf8' }).sort()) {
    if (/\.go$|go\.(mod|sum)$/.test(path)) hash.update(path).update(readFileSync(join(source, path)));
  }
  return join(cache, `chart-check-${hash.digest('hex').slice(0, 16)}`);
}

/** 26 of go1.26.8; 0 without Go. */
function goMinor(): number {
  const { stdout } = spawnSync('go', ['env', 'GOVERSION'], { encoding: 'utf8' });
  return Number(/^go1\.(\d+)/.exec(stdout ?? '')?.[1] ?? 0);
}
