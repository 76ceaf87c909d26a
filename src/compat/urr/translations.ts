/** What clients of URR send and need that Fairline's own endpoints do not have. */
import { answerWith, type Translation } from '../../http/translation.ts';
import { adminTranslations } from './admin.ts';
import { eventTranslations } from './events.ts';
import { liveStatsTranslations } from './live-stats.ts';
import { membershipTranslations } from './memberships.ts';
import { translate } from './ours.ts';
import { paymentTranslations } from './payments.ts';
import { reservationTranslations } from './reservations.ts';
import { seatTranslations } from './seats.ts';
import { statsTranslations } from './stats.ts';
import { transferTranslations } from './transfers.ts';
import { whoTranslations } from './who.ts';

/** Countdowns run by the server's clock. */
const timeTranslation = translate('GET', '/api/time', async ({ at }) =>
  answerWith(200, { time: new Date(at).toISOString() }),
);

/** The first that fits answers: `reservations/my` is before `reservations/:reservationId`. */
export const translations: readonly Translation[] = [
  timeTranslation,
  ...whoTranslations,
  ...eventTranslations,
  ...seatTranslations,
  ...reservationTranslations,
  ...paymentTranslations,
  ...membershipTranslations,
  ...transferTranslations,
  ...statsTranslations,
  ...liveStatsTranslations,
  ...adminTranslations,
];
