/** The options of `simulate` and `rehearse` that control their report and progress. */
import { writeFileSync } from 'node:fs';
import { flag, OptionsError, option } from '../platform/settings/options.ts';
import { type Setting, text } from '../platform/settings/settings.ts';
import { type Language, languages } from '../report/words.ts';
import type { Terminal } from './command.ts';

const language: Setting<Language | undefined> = {
  type: 'word',
  default: undefined,
  defaultText: 'from LANG',
  allowed: languages.join(', '),
  about: 'Language of the report.',
  parse: (value) => {
    const known = languages.find((name) => name === value);
    if (known === undefined) throw new Error('not allowed');
    return known;
  },
};

export const reportOptions = {
  report: option(
    'FILE',
    text({
      default: undefined,
      pattern: /\.html?$/,
      allowed: 'a file name that ends in .html',
      about: 'Write an HTML report with charts, in one self-contained file.',
    }),
  ),
  json: flag('Print the result as JSON.'),
  lang: option('LANG', language),
  progress: flag('Show progress even if standard error is not a terminal.'),
};

export function languageOf({ lang }: { lang: Language | undefined }): Language {
  return lang ?? (Intl.DateTimeFormat().resolvedOptions().locale.startsWith('ko') ? 'ko' : 'en');
}

export function writeReport(path: string, html: string): void {
  try {
    writeFileSync(path, html);
  } catch (error) {
    throw new OptionsError(`--report ${path}: cannot write the file (${(error as NodeJS.ErrnoException).code})`);
  }
}

const BAR = 30;

/** A progress bar on a terminal; with --progress, a line per 10 % elsewhere; otherwise nothing. */
export function createProgress(
  { overwrite, fail }: Terminal,
  isForced: boolean,
): { show(share: number, text: string): void; end(): void } {
  let lastTenth = -1;
  let lastAt = 0;
  return {
    show(share, text) {
      const done = Math.max(0, Math.min(1, share));
      if (overwrite !== undefined) {
        if (performance.now() - lastAt < 100 && done < 1) return;
        lastAt = performance.now();
        const filled = Math.round(done * BAR);
        overwrite(`${'█'.repeat(filled)}${'░'.repeat(BAR - filled)} ${Math.round(done * 100)} % ${text}`);
      } else if (isForced && Math.floor(done * 10) > lastTenth) {
        lastTenth = Math.floor(done * 10);
        fail(`${lastTenth * 10} % ${text}`);
      }
    },
    end() {
      overwrite?.('');
    },
  };
}
