/** All texts in all languages, for the server. Pages import only the parts they need, to keep bundles small. */
import * as en from './en.ts';
import * as ko from './ko.ts';
import type { Language } from './language.ts';

export const catalogues = { ko, en } satisfies Record<Language, unknown>;
