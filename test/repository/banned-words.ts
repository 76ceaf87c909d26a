/** Reads the table of banned words in the glossary, and finds them in a text. */
export interface BannedWord {
  pattern: RegExp;
  useInstead: string;
  /** Paths, as globs, where the word may appear. */
  allowedPaths: RegExp[];
  /** Phrases in which the word may appear anywhere. */
  allowedPhrases: string[];
}

/** Rows of the form: | `pattern` | use instead | `path or phrase`, `…` | */
export function readBannedWords(glossary: string): BannedWord[] {
  const table = glossary.slice(glossary.indexOf('## Banned words'));
  const rows = table.split('\n').filter((line) => line.startsWith('| `'));
  return rows.map((row) => {
    const [pattern = '', useInstead = '', allowed = ''] = row.split(' | ');
    const exceptions = [...allowed.matchAll(/`([^`]+)`/g)].map(([, text]) => text!);
    return {
      pattern: new RegExp(pattern.replace(/^\| `|`$/g, ''), 'gi'),
      useInstead: useInstead.replaceAll('`', ''),
      allowedPaths: exceptions.filter(isPath).map(toPattern),
      allowedPhrases: exceptions.filter((exception) => !isPath(exception)),
    };
  });
}

/** `path:line: "word", use …` for each banned word in the text. */
export function findBannedWords(path: string, text: string, words: readonly BannedWord[]): string[] {
  return words
    .filter(({ allowedPaths }) => !allowedPaths.some((allowed) => allowed.test(path)))
    .flatMap(({ pattern, useInstead, allowedPhrases }) =>
      text.split('\n').flatMap((line, index) => {
        const rest = allowedPhrases.reduce((left, phrase) => left.replaceAll(phrase, ''), line);
        const found = rest.match(pattern);
        return found === null ? [] : [`${path}:${index + 1}: "${found[0]}", use: ${useInstead}`];
      }),
    );
}

function isPath(exception: string): boolean {
  return exception.includes('/') || exception.endsWith('.md');
}

function toPattern(glob: string): RegExp {
  const escaped = glob.replace(/[.+?^${}()|[\]\\]/g, '\\$&');
  return new RegExp(`^${escaped.replaceAll('**', '.*')}$`);
}
