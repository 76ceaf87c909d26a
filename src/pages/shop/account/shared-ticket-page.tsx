/** The ticket of one seat, for someone who got its link. */
import { useEffect, useState } from 'preact/hooks';
import { type Answer, send } from '../shared/api.ts';
import { Banner } from '../shared/banner.tsx';
import { Frame, Loading } from '../shared/frame.tsx';
import type { TicketAnswer } from '../shared/wire.ts';
import { common, fill, texts } from '../shared/words.ts';
import { FoundTicket } from './found-ticket.tsx';

export function SharedTicketPage() {
  const [answer, setAnswer] = useState<Answer<TicketAnswer>>();
  useEffect(() => {
    const load = async () =>
      setAnswer(await send<TicketAnswer>('POST', '/api/tickets/shared', { code: location.hash.slice(1) }));
    void load();
    addEventListener('hashchange', load);
    return () => removeEventListener('hashchange', load);
  }, []);
  return (
    <Frame title={texts.sharedTitle}>
      {answer === undefined && <Loading />}
      {answer?.ok === false && (
        <div class="stack narrow">
          <h1>{texts.sharedTitle}</h1>
          <Banner tone="warning">{reasonOf(answer.problem)}</Banner>
        </div>
      )}
      {answer?.ok && <FoundTicket ticket={answer.value} />}
    </Frame>
  );
}

function reasonOf({ code, retryAfter }: { code: string; retryAfter: number | undefined }): string {
  if (code === 'OFFLINE') return common.trouble;
  return code === 'RATE_LIMITED' ? fill(texts.reasonBusy, { seconds: retryAfter ?? 60 }) : texts.sharedGone;
}
