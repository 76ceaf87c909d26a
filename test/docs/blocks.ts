/** The code blocks of the docs, as data. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

export const root = join(import.meta.dirname, '../..');

/** Which test runs a block. The language decides, or a comment before the block: `<!-- runs as: … -->`. */
export const kinds = {
  sh: 'shell.test.ts, against a running instance',
  walkthrough: 'walkthrough.test.ts, all blocks of a page in one shell',
  newcomer: 'newcomer.test.ts, with the real proxy',
  application: 'snippets.test.ts, as a separate server',
  worker: 'snippets.test.ts, in this process',
  next: 'snippets.test.ts, in this process, with the responses that Next.js understands',
  package: 'test/package/package.test.ts, in an empty project that has installed the package',
  types: 'snippets.test.ts, compiled only: it needs a browser or has no behaviour',
  nginx: 'blocks.test.ts: the file that test/recipes runs in a real nginx',
  caddy: 'blocks.test.ts: the file that test/recipes runs in a real Caddy',
  haproxy: 'blocks.test.ts: the files that test/recipes runs in a real HAProxy',
  traefik: 'blocks.test.ts: the file that test/recipes runs in a real Traefik where there is one',
  rules: 'blocks.test.ts, as a rules file',
  sites: 'blocks.test.ts, as a file of sites',
  theme: 'blocks.test.ts, as a theme file',
  record: 'blocks.test.ts, as a message in the log',
  arrivals: 'blocks.test.ts, as a file of arrivals',
  drawing: 'not run: a diagram',
} as const;

export interface Block {
  /** `docs/reference/gate.md:66`. */
  where: string;
  language: string;
  text: string;
  kind: string;
  /** Why it is not run; undefined if it is. */
  notRun: string | undefined;
}

const byLanguage: Record<string, keyof typeof kinds> = { sh: 'sh', mermaid: 'drawing', '': 'drawing' };

export function readBlocks(): Block[] {
  return ['README.md', 'CONTRIBUTING.md', 'deploy/README.md', ...readPages()].flatMap(blocksOf);
}

/** `docs/reference/gate.md`, …; translations (`*.ko.md`) repeat the blocks of their originals and are left out. */
function readPages(): string[] {
  return readdirSync(join(root, 'docs'), { recursive: true, encoding: 'utf8' })
    .filter((path) => path.endsWith('.md') && !path.endsWith('.ko.md'))
    .map((path) => `docs/${path}`)
    .sort();
}

export const blocksOfKind = (kind: keyof typeof kinds) =>
  readBlocks().filter((block) => block.kind === kind && block.notRun === undefined);

function blocksOf(path: string): Block[] {
  const text = readFileSync(join(root, path), 'utf8');
  const fenced = /^(?:<!-- (.*) -->\n)?```(\w*)\n([\s\S]*?)^```$/gm;
  return [...text.matchAll(fenced)].map((found) => {
    const [whole, comment = '', language = '', code = ''] = found;
    const line = text.slice(0, found.index + whole.indexOf('```')).split('\n').length;
    const said = (word: string) => (comment.startsWith(`${word}: `) ? comment.slice(word.length + 2) : undefined);
    const kind = said('runs as') ?? byLanguage[language] ?? '';
    return { where: `${path}:${line}`, language, text: code, kind, notRun: said('not run') };
  });
}
