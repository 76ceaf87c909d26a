/** Search by words, month and phase. */
import { type EventPhase, eventPhases } from '../../../shop/rules/event-phase.ts';
import type { EventAnswer } from '../shared/wire.ts';
import { language, texts } from '../shared/words.ts';
import { nameOfPhase, phaseNow } from './event-facts.ts';

export interface EventFilter {
  words: string;
  /** '' for any; else year and month at the venue: 2027-04. */
  month: string;
  phase: EventPhase | '';
}

export const NO_FILTER: EventFilter = { words: '', month: '', phase: '' };

/** Every word must occur in the title, the artist or the venue. */
export function filterEvents(events: readonly EventAnswer[], filter: EventFilter, now: number): EventAnswer[] {
  const words = filter.words.toLocaleLowerCase().split(/\s+/).filter(Boolean);
  return events.filter((event) => {
    const text = `${event.title} ${event.artist} ${event.venue}`.toLocaleLowerCase();
    if (!words.every((word) => text.includes(word))) return false;
    if (filter.month !== '' && monthOf(event) !== filter.month) return false;
    return filter.phase === '' || phaseNow(event, now) === filter.phase;
  });
}

interface EventFiltersProps {
  events: readonly EventAnswer[];
  filter: EventFilter;
  onChange: (filter: EventFilter) => void;
}

export function EventFilters({ events, filter, onChange }: EventFiltersProps) {
  const now = Date.now();
  const months = [...new Set(events.map(monthOf))].sort();
  const phases = eventPhases.filter((phase) => events.some((event) => phaseNow(event, now) === phase));
  return (
    <search class="event-filters">
      <div class="field">
        <label for="event-words">{texts.search}</label>
        <input
          id="event-words"
          type="search"
          value={filter.words}
          onInput={({ currentTarget }) => onChange({ ...filter, words: currentTarget.value })}
        />
      </div>
      <div class="field">
        <label for="event-month">{texts.filterMonth}</label>
        <select
          id="event-month"
          value={filter.month}
          onChange={({ currentTarget }) => onChange({ ...filter, month: currentTarget.value })}
        >
          <option value="">{texts.anyMonth}</option>
          {months.map((month) => (
            <option key={month} value={month}>
              {nameOfMonth(month)}
            </option>
          ))}
        </select>
      </div>
      <div class="field">
        <label for="event-phase">{texts.filterState}</label>
        <select
          id="event-phase"
          value={filter.phase}
          onChange={({ currentTarget }) => onChange({ ...filter, phase: currentTarget.value as EventFilter['phase'] })}
        >
          <option value="">{texts.filterAll}</option>
          {phases.map((phase) => (
            <option key={phase} value={phase}>
              {nameOfPhase(phase)}
            </option>
          ))}
        </select>
      </div>
    </search>
  );
}

function monthOf({ startsAt, timeZone }: EventAnswer): string {
  const parts = new Intl.DateTimeFormat('en', { year: 'numeric', month: '2-digit', timeZone }).formatToParts(
    new Date(startsAt),
  );
  const partOf = (name: string) => parts.find(({ type }) => type === name)?.value ?? '';
  return `${partOf('year')}-${partOf('month')}`;
}

function nameOfMonth(month: string): string {
  return new Date(`${month}-01T00:00:00Z`).toLocaleDateString(language, {
    year: 'numeric',
    month: 'long',
    timeZone: 'UTC',
  });
}
