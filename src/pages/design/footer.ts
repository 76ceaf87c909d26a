/** What the footer of a page says, in order. The shop shows it in a block, the waiting pages in one line. */
import type { FrameTexts } from '../texts/en.ts';
import { fill, type VisitorLanguage } from '../texts/language.ts';
import { inLanguage, type Organiser } from './organiser.ts';

export interface FooterItem {
  text: string;
  /** undefined: text only. */
  href?: string;
}

export interface FooterFacts {
  organiser: Organiser;
  /** Hours before an event until which buyers get a refund; undefined: this page does not know. */
  refundUntilHours?: number | undefined;
}

export function toFooter(
  { organiser, refundUntilHours }: FooterFacts,
  language: VisitorLanguage,
  texts: FrameTexts,
): FooterItem[] {
  const { name, email, phone, contact, terms, refunds, privacy } = organiser;
  const items: FooterItem[] = [];
  if (name !== undefined) items.push({ text: fill(texts.organiser, { name: inLanguage(name, language) }) });
  if (contact !== undefined) items.push({ text: texts.contact, href: inLanguage(contact, language) });
  if (email !== undefined) items.push({ text: email, href: `mailto:${email}` });
  if (phone !== undefined) items.push({ text: phone, href: `tel:${phone.replace(/[^+0-9]/g, '')}` });
  // Said, not hidden: a buyer should know before they pay.
  if ((contact ?? email ?? phone) === undefined) items.push({ text: texts.noContact });
  if (terms !== undefined) items.push({ text: texts.terms, href: inLanguage(terms, language) });
  if (refunds !== undefined) items.push({ text: texts.refunds, href: inLanguage(refunds, language) });
  else if (refundUntilHours !== undefined) {
    const text = refundUntilHours === 0 ? texts.refundsUntilStart : texts.refundsUntil;
    items.push({ text: fill(text, { hours: refundUntilHours }) });
  }
  if (privacy !== undefined) items.push({ text: texts.privacy, href: inLanguage(privacy, language) });
  return items;
}
