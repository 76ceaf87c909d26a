/** Renews the visitor's session inside while they choose seats, and knows when it ends. */
import { useEffect, useState } from 'preact/hooks';
import type { PollAnswer } from '../../../line/http/poll-answer.ts';
import { send } from '../shared/api.ts';

/** `isLost`: the server does not answer. */
export type Session =
  | { state: 'unknown'; isLost: boolean }
  | { state: 'inside'; endsAt: number }
  | { state: 'outside' };

const SHORTEST_MS = 3_000;
const LONGEST_MS = 60_000;

/** `endsAt` is on the performance.now() clock, which does not jump when the device clock is set. */
export function useSession(eventId: string): Session {
  const [session, setSession] = useState<Session>({ state: 'unknown', isLost: false });
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout>;
    let isOver = false;
    const beat = async () => {
      const answer = await send<PollAnswer>('POST', `/api/queue/heartbeat/${eventId}`);
      if (isOver) return;
      let pause = SHORTEST_MS;
      if (answer.ok && answer.value.status === 'active') {
        const leftMs = Date.parse(answer.value.expiresAt!) - Date.now();
        setSession({ state: 'inside', endsAt: performance.now() + leftMs });
        pause = Math.min(LONGEST_MS, Math.max(SHORTEST_MS, leftMs / 3));
      } else if (answer.ok || !answer.problem.isTemporary) {
        setSession({ state: 'outside' });
        return;
      } else setSession((known) => (known.state === 'unknown' ? { ...known, isLost: true } : known));
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
