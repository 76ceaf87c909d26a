/** The time left to pay. Red under a minute, read out three times, and prolonged once. */
import { useState } from 'preact/hooks';
import { formatCountdown } from '../../texts/format.ts';
import { texts } from '../shared/words.ts';

export interface HoldTimerProps {
  secondsLeft: number;
  /** undefined: the hold cannot be prolonged. Resolves to whether it was. */
  onExtend: (() => Promise<boolean>) | undefined;
}

const URGENT_SECONDS = 60;

export function HoldTimer({ secondsLeft, onExtend }: HoldTimerProps) {
  const [isBusy, setBusy] = useState(false);
  const [isExtended, setExtended] = useState(false);
  const extend = async () => {
    setBusy(true);
    const isDone = await onExtend!();
    setBusy(false);
    setExtended(isDone);
  };
  return (
    <div class={secondsLeft < URGENT_SECONDS ? 'hold-timer urgent' : 'hold-timer'}>
      <p class="countdown">
        <span>{texts.holdEnds}</span> <strong class="clock number">{formatCountdown(secondsLeft)}</strong>
      </p>
      {onExtend !== undefined && (
        <button type="button" class="small" disabled={isBusy} onClick={extend}>
          {texts.extend}
        </button>
      )}
      {isExtended && <p class="soft small">{texts.extended}</p>}
      {/* Read out at these moments only: a clock that is read out each second would drown the form. */}
      <p class="visually-hidden" role="status" aria-live="assertive">
        {announcementAt(secondsLeft)}
      </p>
    </div>
  );
}

/** The text stays the same between two moments, so a screen reader reads each once. */
function announcementAt(secondsLeft: number): string {
  if (secondsLeft <= 0) return '';
  if (secondsLeft <= 30) return texts.timeHalfMinute;
  if (secondsLeft <= 60) return texts.timeOneMinute;
  return secondsLeft <= 120 ? texts.timeTwoMinutes : '';
}
