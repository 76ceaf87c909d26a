/** The broker's polling endpoints. Joining is a GET there; Fairline's own POST decides whether the caller may. */
import { type Answer, isSuccess, type Translation } from '../../http/translation.ts';

interface PollAnswer {
  status: 'queued' | 'active' | 'not_in_queue';
  position?: number;
  entryToken?: string;
  /** Seconds. */
  nextPoll: number;
}

const BASE = '/api/broker/polling/events/:eventId';

export const pollingTranslations: readonly Translation[] = [
  {
    method: 'GET',
    path: `${BASE}/waiting`,
    answer: async ({ params }, ask) =>
      wrap(await ask('POST', `/api/queue/check/${params.eventId}`), '대기열에 들어왔습니다.', () => null),
  },
  {
    method: 'GET',
    path: `${BASE}/current`,
    answer: async ({ params }, ask) =>
      wrap(await ask('GET', `/api/queue/status/${params.eventId}`), '현재 순번입니다.', toCurrent),
  },
  {
    method: 'DELETE',
    path: `${BASE}/waiting`,
    answer: async ({ params }, ask) =>
      wrap(await ask('POST', `/api/queue/leave/${params.eventId}`), '대기열에서 나갔습니다.', () => null),
  },
];

/** All its answers have `code`, `message` and `data`. Refusals stay as they are. */
function wrap(answer: Answer, message: string, toData: (body: PollAnswer) => unknown): Answer {
  if (!isSuccess(answer)) return answer;
  return { ...answer, body: { code: '200 OK', message, data: toData(answer.body as PollAnswer) } };
}

function toCurrent({ status, position, entryToken, nextPoll }: PollAnswer) {
  const pollAfterMs = nextPoll * 1000;
  if (status === 'active') return { state: 'ENTRY', rank: null, entryAuthToken: entryToken, pollAfterMs };
  if (status === 'queued') return { state: 'WAITING', rank: position ?? null, entryAuthToken: null, pollAfterMs };
  return { state: 'NONE', rank: null, entryAuthToken: null, pollAfterMs };
}
