/** Guests find their tickets again by booking code and email. */
import { useState } from 'preact/hooks';
import { LONGEST_EMAIL } from '../../../shop/rules/buyer-form.ts';
import { type Problem, send } from '../shared/api.ts';
import { Banner } from '../shared/banner.tsx';
import { codeRule, emailRule } from '../shared/field-rules.ts';
import { Frame } from '../shared/frame.tsx';
import { TextField } from '../shared/text-field.tsx';
import { useProblems } from '../shared/use-problems.ts';
import type { TicketAnswer } from '../shared/wire.ts';
import { common, fill, texts } from '../shared/words.ts';
import { FoundTicket } from './found-ticket.tsx';

export function FindTicketPage() {
  const [found, setFound] = useState<TicketAnswer>();
  const [said, setSaid] = useState<string>();
  const [isBusy, setBusy] = useState(false);
  const { form, problems, check } = useProblems();
  const submit = async (event: SubmitEvent) => {
    event.preventDefault();
    setSaid(undefined);
    if (!check({ bookingCode: codeRule, email: emailRule })) return;
    const fields = new FormData(form.current!);
    const query = { bookingCode: String(fields.get('bookingCode')), email: String(fields.get('email')) };
    setBusy(true);
    const answer = await send<TicketAnswer>('POST', '/api/tickets/find', query);
    setBusy(false);
    if (answer.ok) setFound(answer.value);
    else setSaid(reasonOf(answer.problem));
  };
  if (found !== undefined) {
    return (
      <Frame title={texts.ticket}>
        <FoundTicket ticket={found} />
      </Frame>
    );
  }
  return (
    <Frame title={texts.findTitle}>
      <h1>{texts.findTitle}</h1>
      <form class="card stack narrow" ref={form} onSubmit={submit} noValidate>
        <p class="soft">{texts.findText}</p>
        <TextField
          name="bookingCode"
          label={texts.bookingCode}
          autocomplete="off"
          maxLength={40}
          hint="FL-7K2M-94"
          problem={problems.bookingCode}
        />
        <TextField
          name="email"
          type="email"
          label={texts.email}
          autocomplete="email"
          maxLength={LONGEST_EMAIL}
          problem={problems.email}
        />
        {said !== undefined && <Banner tone="danger">{said}</Banner>}
        <button type="submit" class="main wide" disabled={isBusy}>
          {texts.findButton}
        </button>
      </form>
    </Frame>
  );
}

function reasonOf({ code, retryAfter }: Problem): string {
  if (code === 'OFFLINE') return common.trouble;
  return code === 'RATE_LIMITED' ? fill(texts.reasonBusy, { seconds: retryAfter ?? 60 }) : texts.findNone;
}
