/** What every view of the operators' page works with. */
import type { AdminTexts, CommonTexts, SettingTexts, WaitingTexts } from '../../texts/en.ts';
import { fill, type Language } from '../../texts/language.ts';
import type { Api, Refusal } from '../api/api.ts';
import type { AdminFacts, Overview } from '../api/wire.ts';
import type { Question } from './confirm.ts';

export interface Desk {
  language: Language;
  texts: AdminTexts;
  settingTexts: SettingTexts;
  durationTexts: WaitingTexts;
  common: CommonTexts;
  facts: AdminFacts;
  api: Api;
  /** The latest, if there is one. */
  overview(): Overview | undefined;
  /** Asks for the next one at once, after a change. */
  refresh(): void;
  /** Tells what became of something. */
  say(text: string, tone?: 'good' | 'bad'): void;
  confirm(question: Question): Promise<boolean>;
}

export interface View {
  title: string;
  root: HTMLElement;
  /** The room whose last minutes it wants to be told with each overview. */
  historyOf?: string;
  update?(overview: Overview): void;
  close?(): void;
}

/** A refusal as a sentence. */
export function tell({ texts }: Pick<Desk, 'texts'>, { status, message, retryAfterSeconds }: Refusal): string {
  if (status === 0) return texts.unreachable;
  if (status === 429) return fill(texts.tooMany, { seconds: retryAfterSeconds });
  return fill(texts.refused, { message });
}
