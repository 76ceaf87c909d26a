/** What clients of URR send and need that Fairline's own endpoints do not have. */
import type { Translation } from '../../http/translation.ts';

export const translations: readonly Translation[] = [];
