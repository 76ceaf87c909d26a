/** All texts of all languages. Pages import the parts they need; only who needs every part imports this. */
import * as en from './en.ts';
import * as ko from './ko.ts';
import type { Language } from './language.ts';

export const catalogues = { ko, en } satisfies Record<Language, unknown>;
