/** How a report is asked for: shared by the commands that make one. */
import { writeFileSync } from 'node:fs';
import { flag, OptionsError, option } from '../platform/settings/options.ts';
import { type Setting, text } from '../platform/settings/settings.ts';
import { type Language, languages } from '../report/words.ts';
import type { Terminal } from './command.ts';

const language: Setting<Language | undefined> = {
  type: 'word',
  default: undefined,
  defaultText: 'by LANG',
  allowed: languages.join(', '),
  about: 'The language of the report.',
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
      about: 'Writes a report with charts: one file that needs nothing else.',
    }),
  ),
  json: flag('Print the result as JSON.'),
  lang: option('LANG', language),
  progress: flag('Show progress even where standard error is not a terminal.'),
};

export function languageOf({ lang }: { lang: Language | undefined }): Language {
  return lang ?? (Intl.DateTimeFormat().resolvedOptions().locale.startsWith('ko') ? 'ko' : 'en');
}

export function writeReport(path: string, html: string): void {
  try {
    writeFileSync(path, html);
  } catch (error) {
    throw new OptionsError(`--report ${path}: the file cannot be written (${(error as NodeJS.ErrnoException).code})`);
  }
}

const BAR = 30;

/** A bar that is written over on a terminal; a line for each tenth elsewhere, if asked for; else nothing. */
export function createProgress(
  { overwrite, fail }: Terminal,
  isAsked: boolean,
): { tell(share: number, text: string): void; end(): void } {
  let lastTenth = -1;
  let lastAt = 0;
  return {
    tell(share, text) {
      const done = Math.max(0, Math.min(1, share));
      if (overwrite !== undefined) {
        if (performance.now() - lastAt < 100 && done < 1) return;
        lastAt = performance.now();
        const filled = Math.round(done * BAR);
        overwrite(`${'█'.repeat(filled)}${'░'.repeat(BAR - filled)} ${Math.round(done * 100)} % ${text}`);
      } else if (isAsked && Math.floor(done * 10) > lastTenth) {
        lastTenth = Math.floor(done * 10);
        fail(`${lastTenth * 10} % ${text}`);
      }
    },
    end() {
      overwrite?.('');
    },
  };
}
