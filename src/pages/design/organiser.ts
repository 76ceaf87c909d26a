/** Who sells, and where their rules are: set in the theme file, shown in the footer of the pages. */
import { type Language, type VisitorLanguage, visitorLanguages } from '../texts/language.ts';

/** In Korean and English at least. */
type PerLanguage = Record<Language, string> & Partial<Record<VisitorLanguage, string>>;

export interface Organiser {
  name?: PerLanguage;
  email?: string;
  phone?: string;
  /** Pages. */
  contact?: PerLanguage;
  terms?: PerLanguage;
  refunds?: PerLanguage;
  privacy?: PerLanguage;
}

const links = ['contact', 'terms', 'refunds', 'privacy'] as const;
const LINK = /^(https:\/\/[A-Za-z0-9.-]+(:\d+)?(\/|$)|\/(?!\/))[A-Za-z0-9/_.~%?=&#-]{0,500}$/;
const EMAIL = /^[^\s@<>"]{1,64}@[A-Za-z0-9.-]{1,190}$/;
const PHONE = /^\+?[0-9][0-9 ()-]{2,30}$/;
const LONGEST_NAME = 120;
const required: readonly VisitorLanguage[] = ['ko', 'en'];

/** Reads the field `organiser` of a theme file; names each field that is wrong. */
export function readOrganiser(json: unknown, problems: string[]): Organiser {
  if (json === undefined) return {};
  if (typeof json !== 'object' || json === null || Array.isArray(json)) {
    problems.push('organiser must be an object');
    return {};
  }
  const { name, email, phone, ...rest } = json as Record<string, unknown>;
  const organiser: Organiser = {};
  const isName = (text: string) => text.trim() !== '' && text.length <= LONGEST_NAME;
  const expectName = `text of 1 to ${LONGEST_NAME} characters`;
  if (name !== undefined) set('name', perLanguage(name, 'name', isName, expectName));
  if (email !== undefined) set('email', single(email, 'email', EMAIL, 'an email address'));
  if (phone !== undefined) set('phone', single(phone, 'phone', PHONE, 'a phone number such as +82 2 1234 5678'));
  for (const [field, value] of Object.entries(rest)) {
    if (!(links as readonly string[]).includes(field)) {
      problems.push(`organiser.${field} is not a known field; expected name, email, phone, ${links.join(', ')}`);
    } else {
      const isLink = (text: string) => LINK.test(text);
      set(field as (typeof links)[number], perLanguage(value, field, isLink, 'an https URL or a path of this site'));
    }
  }
  return organiser;

  function set<Field extends keyof Organiser>(field: Field, value: Organiser[Field] | undefined): void {
    if (value !== undefined) organiser[field] = value;
  }

  function single(value: unknown, field: string, pattern: RegExp, expected: string): string | undefined {
    if (typeof value === 'string' && pattern.test(value)) return value;
    problems.push(`organiser.${field} must be ${expected}`);
    return undefined;
  }

  /** One text for all languages, or one for each; without one of its own a language gets the English one. */
  function perLanguage(
    value: unknown,
    field: string,
    isValid: (text: string) => boolean,
    expected: string,
  ): PerLanguage | undefined {
    const given = typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : undefined;
    const unknown = Object.keys(given ?? {}).filter((name) => !(visitorLanguages as readonly string[]).includes(name));
    for (const name of unknown) problems.push(`organiser.${field}.${name}: unknown language`);
    const found: [VisitorLanguage, string][] = [];
    for (const language of visitorLanguages) {
      const isRequired = required.includes(language);
      const text = given === undefined && isRequired ? value : given?.[language];
      if (text === undefined && !isRequired) continue;
      if (typeof text === 'string' && isValid(text)) found.push([language, text]);
      else {
        problems.push(`organiser.${field}${given === undefined ? '' : `.${language}`} must be ${expected}`);
        if (given === undefined) break;
      }
    }
    const isWhole = required.every((language) => found.some(([each]) => each === language));
    return isWhole ? (Object.fromEntries(found) as PerLanguage) : undefined;
  }
}

export function inLanguage(texts: PerLanguage, language: VisitorLanguage): string {
  return texts[language] ?? texts.en;
}
