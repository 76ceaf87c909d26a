/** Keeps the visitor's place inside while they choose, and knows when it ends. */
import { useEffect, useState } from 'preact/hooks';
import type { PollAnswer } from '../../../line/http/poll-answer.ts';
import { ask } from '../shared/api.ts';

export type Session = { state: 'unknown' } | { state: 'inside'; endsAt: number } | { state: 'outside' };

const SOONEST_MS = 3_000;
const LATEST_MS = 60_000;

/** `endsAt` is a time of performance.now(): the clock of a phone may be wrong, how long something lasts is not. */
export function useSession(eventId: string): Session {
  const [session, setSession] = useState<Session>({ state: 'unknown' });
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout>;
    let isOver = false;
    const beat = async () => {
      const answer = await ask<PollAnswer>('POST', `/api/queue/heartbeat/${eventId}`);
      if (isOver) return;
      let pause = SOONEST_MS;
      if (answer.ok && answer.value.status === 'active') {
        const leftMs = Date.parse(answer.value.expiresAt!) - Date.now();
        setSession({ state: 'inside', endsAt: performance.now() + leftMs });
        pause = Math.min(LATEST_MS, Math.max(SOONEST_MS, leftMs / 3));
      } else if (answer.ok || answer.problem.code !== 'OFFLINE') {
        setSession({ state: 'outside' });
        return;
      }
      timer = setTimeout(beat, pause);
    };
    const wake = () => {
      if (document.hidden) return;
      clearTimeout(timer);
      void beat();
    };
    document.addEventListener('visibilitychange', wake);
    void beat();
    return () => {
      isOver = true;
      clearTimeout(timer);
      document.removeEventListener('visibilitychange', wake);
    };
  }, [eventId]);
  return session;
}
