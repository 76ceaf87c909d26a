/** The rate that follows the health of the site: why it is what it is, and a switch to override it. */
import type { AdminTexts } from '../../../texts/en.ts';
import { formatTime } from '../../../texts/format.ts';
import { fill } from '../../../texts/language.ts';
import type { RoomSummary } from '../../api/wire.ts';
import { type Desk, refusalText } from '../../controls/desk.ts';
import { el, setText } from '../../controls/dom.ts';
import { needs } from '../../controls/needs.ts';
import { factList, type Panel, section } from '../../controls/panel.ts';
import { showRate } from '../../controls/show-values.ts';
import { objectForm } from './object-form.ts';

type Health = NonNullable<RoomSummary['health']>;

const OVERRIDE_MINUTES = 10;

export function healthPanel(desk: Desk, eventId: string): Panel {
  const { texts, api, say, language } = desk;
  const reason = el('p', { id: 'health-reason', className: 'note' });
  const facts = factList([texts.healthRate, texts.healthErrors, texts.healthP95, texts.healthMeasured]);
  const full = el('button', { id: 'full-rate', type: 'button' });
  full.textContent = fill(texts.healthIgnore, { minutes: OVERRIDE_MINUTES });
  const follow = el('button', { id: 'follow-health', type: 'button', textContent: texts.healthFollow });
  full.addEventListener('click', () => ignoreUntil(new Date(Date.now() + OVERRIDE_MINUTES * 60_000).toISOString()));
  follow.addEventListener('click', () => ignoreUntil(null));
  const state = el('div', {}, reason, facts.root, needs('operator', el('div', { className: 'actions' }, full, follow)));
  const form = objectForm(desk, eventId, 'followHealth', [
    { name: 'maxErrorShare', label: texts.healthMaxErrors },
    { name: 'maxP95Ms', label: texts.healthMaxP95 },
    { name: 'minPerSecond', label: texts.healthMinRate },
  ]);

  async function ignoreUntil(ignoreHealthUntil: string | null): Promise<void> {
    const answer = await api.put(`/api/admin/rooms/${eventId}`, { ignoreHealthUntil });
    say(answer.ok ? texts.done : refusalText(desk, answer), answer.ok ? 'good' : 'bad');
    desk.refresh();
  }

  return {
    root: section(
      'health',
      texts.health,
      el('p', { className: 'about', textContent: texts.healthAbout }),
      state,
      needs('operator', form.root),
    ),
    update({ health, settings }) {
      state.hidden = health === null;
      form.update(settings.followHealth);
      if (health === null) return;
      const time = (at: string | null) => (at === null ? texts.healthNoReports : formatTime(at, language, 'said'));
      setText(reason, toReason(health, desk));
      reason.classList.toggle('warn', health.cause !== null);
      full.hidden = health.ignoredUntil !== null;
      follow.hidden = health.ignoredUntil === null;
      facts.set(texts.healthRate, `${showRate(health.perSecond, desk)} / ${showRate(health.fullPerSecond, desk)}`);
      facts.set(texts.healthErrors, showShare(health.errorShare, desk));
      facts.set(texts.healthP95, health.p95Ms === null ? texts.unknown : `${health.p95Ms.toLocaleString(language)} ms`);
      facts.set(texts.healthMeasured, time(health.measuredAt));
    },
  };
}

function toReason(health: Health, { texts, language }: Pick<Desk, 'texts' | 'language'>): string {
  if (health.ignoredUntil !== null) {
    return fill(texts.healthIgnored, { time: formatTime(health.ignoredUntil, language, 'said') });
  }
  return health.cause === null ? texts.healthWell : texts[`healthCause_${health.cause}` as keyof AdminTexts];
}

function showShare(share: number | null, { language, texts }: Pick<Desk, 'language' | 'texts'>): string {
  if (share === null) return texts.unknown;
  return share.toLocaleString(language, { style: 'percent', maximumFractionDigits: 1 });
}
