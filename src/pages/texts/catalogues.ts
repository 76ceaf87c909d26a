/** All texts in all languages, for the server. Pages import only the parts they need, to keep bundles small. */
import * as en from './en.ts';
import * as ja from './ja.ts';
import * as ko from './ko.ts';
import type { Language, VisitorLanguage } from './language.ts';
import * as zhHans from './zh-hans.ts';

export const catalogues = { ko, en } satisfies Record<Language, unknown>;

export const visitorCatalogues = { ko, en, ja, 'zh-Hans': zhHans } satisfies Record<VisitorLanguage, unknown>;
