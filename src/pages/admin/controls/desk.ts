/** What every view of the operator page is given. */
import type { AdminTexts, CommonTexts, SettingTexts, WaitingTexts } from '../../texts/en.ts';
import { fill, type Language } from '../../texts/language.ts';
import type { Api, Refusal } from '../api/api.ts';
import type { AdminFacts, Overview, Role, Span } from '../api/wire.ts';
import type { Question } from './confirm.ts';

export interface Desk {
  language: Language;
  texts: AdminTexts;
  settingTexts: SettingTexts;
  durationTexts: WaitingTexts;
  common: CommonTexts;
  facts: AdminFacts;
  api: Api;
  /** The account that signed in; undefined: no account did. */
  account(): string | undefined;
  /** Whether the role of the session is at least this one. */
  may(role: Role): boolean;
  /** The latest overview, if one has arrived. */
  overview(): Overview | undefined;
  /** Loads the overview now, after a change. */
  refresh(): void;
  /** Shows a short message. */
  say(text: string, tone?: 'good' | 'bad'): void;
  confirm(question: Question): Promise<boolean>;
}

export interface View {
  title: string;
  root: HTMLElement;
  /** The room whose history each overview should include. */
  historyOf?: string;
  /** How far back that history goes; 15 minutes if absent. */
  span?(): Span;
  update?(overview: Overview): void;
  close?(): void;
}

/** A refusal as text. */
export function refusalText(
  { texts }: Pick<Desk, 'texts'>,
  { status, code, message, retryAfterSeconds }: Refusal,
): string {
  if (status === 0) return texts.unreachable;
  if (code === 'ROLE_REQUIRED') return texts.roleRequired;
  if (status === 429) return fill(texts.tooMany, { seconds: retryAfterSeconds });
  return fill(texts.refused, { message });
}
