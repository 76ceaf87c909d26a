/** An answer of the server as the state of a page: asked for at once, and again when the page wants. */
import { useCallback, useEffect, useState } from 'preact/hooks';
import { type Answer, ask } from './api.ts';

export function useAnswer<T>(path: string): [answer: Answer<T> | undefined, again: () => Promise<void>] {
  const [answer, setAnswer] = useState<Answer<T>>();
  const again = useCallback(async () => {
    const fresh = await ask<T>('GET', path);
    // While nobody answers, what is known is better than nothing.
    setAnswer((known) => (!fresh.ok && fresh.problem.code === 'OFFLINE' && known?.ok ? known : fresh));
  }, [path]);
  useEffect(() => {
    void again();
  }, [again]);
  return [answer, again];
}

/** Runs while the page is shown. */
export function useEvery(seconds: number, work: () => void): void {
  useEffect(() => {
    const timer = setInterval(() => !document.hidden && work(), seconds * 1000);
    return () => clearInterval(timer);
  }, [seconds, work]);
}

/** Seconds until `endsAt`, a time of performance.now(); undefined where nothing ends. */
export function useCountdown(endsAt: number | undefined): number | undefined {
  const [now, setNow] = useState(() => performance.now());
  useEffect(() => {
    if (endsAt === undefined) return;
    const timer = setInterval(() => setNow(performance.now()), 250);
    return () => clearInterval(timer);
  }, [endsAt]);
  return endsAt === undefined ? undefined : Math.max(0, (endsAt - now) / 1000);
}
