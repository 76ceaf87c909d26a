/** The phase of an event, computed again at the moment it changes by itself. */
import { useEffect, useState } from 'preact/hooks';
import type { EventPhase } from '../../../shop/rules/event-phase.ts';
import type { EventAnswer } from '../shared/wire.ts';
import { msToNextPhase, phaseNow } from './event-facts.ts';

/** Longer waits overflow the timer of a browser; the page asks the server again long before. */
const LONGEST_MS = 86_400_000;

export function usePhase(event: EventAnswer): EventPhase {
  const [now, setNow] = useState(() => Date.now());
  useEffect(() => {
    setNow(Date.now());
    const ms = msToNextPhase(event, Date.now());
    if (ms === undefined || ms > LONGEST_MS) return;
    const timer = setTimeout(() => setNow(Date.now()), ms + 1);
    return () => clearTimeout(timer);
  }, [event]);
  return phaseNow(event, Math.max(now, Date.now()));
}
