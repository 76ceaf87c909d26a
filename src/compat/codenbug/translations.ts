/** What clients of CodeNBug's broker send and need that Fairline's own endpoints do not have. */
import type { Forwarding, Translation } from '../../http/translation.ts';
import { pollingTranslations } from './polling.ts';
import { streamTranslations } from './stream.ts';

export const translations: readonly (Translation | Forwarding)[] = [...streamTranslations, ...pollingTranslations];
