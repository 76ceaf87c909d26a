/** The user's sessions: where they are, and how to end them. */
import { send } from '../shared/api.ts';
import { useAnswer } from '../shared/use-answer.ts';
import type { SessionAnswer } from '../shared/wire.ts';
import { fill, moment, texts } from '../shared/words.ts';

export function SessionList() {
  const [answer, reload] = useAnswer<SessionAnswer[]>('/api/auth/sessions');
  if (!answer?.ok) return null;
  const sessions = answer.value;
  const end = async (path: string) => {
    await send('DELETE', path);
    await reload();
  };
  return (
    <div class="card">
      <h3>{texts.sessions}</h3>
      <ul class="sessions">
        {sessions.map((session) => (
          <li key={session.sessionId}>
            <SessionFacts session={session} />
            {session.isCurrent ? (
              <span class="badge">{texts.sessionCurrent}</span>
            ) : (
              <button type="button" class="plain" onClick={() => end(`/api/auth/sessions/${session.sessionId}`)}>
                {texts.signOut}
              </button>
            )}
          </li>
        ))}
      </ul>
      {sessions.length > 1 && (
        <div class="actions">
          <button type="button" onClick={() => end('/api/auth/sessions')}>
            {texts.sessionsEndOthers}
          </button>
        </div>
      )}
    </div>
  );
}

function SessionFacts({ session }: { session: SessionAnswer }) {
  const { browser, address, lastSeenAt } = session;
  return (
    <span>
      {browser === '' ? texts.sessionUnknown : browser}
      <span class="soft small">
        {address} · {fill(texts.sessionSeen, { time: moment(lastSeenAt) })}
      </span>
    </span>
  );
}
