/** The blocks of code in the docs, as data. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

export const root = join(import.meta.dirname, '../..');

/** Who runs a block; a comment before it (`<!-- runs as: … -->`) names it where the language alone does not tell. */
export const kinds = {
  sh: 'shell.test.ts, against a running instance',
  newcomer: 'newcomer.test.ts, with a real nginx',
  application: 'snippets.test.ts, as a server of its own',
  worker: 'snippets.test.ts, in this process',
  types: 'snippets.test.ts, by the compiler alone: it runs in a browser, or nowhere',
  nginx: 'blocks.test.ts: the file that test/gate/nginx.test.ts runs',
  caddy: 'test/gate/caddy.test.ts, with a real Caddy',
  rules: 'blocks.test.ts, as a rules file',
  theme: 'blocks.test.ts, as a theme file',
  record: 'blocks.test.ts, as a message in the log',
  arrivals: 'blocks.test.ts, as a file of arrivals',
  drawing: 'nobody: it is a picture made of letters',
} as const;

export interface Block {
  /** `docs/gate.md:66`. */
  where: string;
  language: string;
  text: string;
  kind: string;
  /** Why it is not run, if it is not. */
  notRun: string | undefined;
}

const byLanguage: Record<string, keyof typeof kinds> = { sh: 'sh', '': 'drawing' };

export function readBlocks(): Block[] {
  const pages = readdirSync(join(root, 'docs')).filter((name) => name.endsWith('.md'));
  return ['README.md', 'CONTRIBUTING.md', 'deploy/README.md', ...pages.map((name) => `docs/${name}`)].flatMap(blocksOf);
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
