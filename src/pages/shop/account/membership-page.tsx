/** Benefits and price of the membership, its status, and the way to buy it. */
import { useState } from 'preact/hooks';
import { send } from '../shared/api.ts';
import { Banner } from '../shared/banner.tsx';
import { Facts, Frame, Loading } from '../shared/frame.tsx';
import { SignInFirst } from '../shared/sign-in-first.tsx';
import { useAnswer, useEvery } from '../shared/use-answer.ts';
import type { MembershipAnswer, MembershipOffer, MembershipsAnswer, WhoAnswer } from '../shared/wire.ts';
import { common, date, fill, money, texts } from '../shared/words.ts';

const POLL_SECONDS = 1;

export function MembershipPage() {
  const [offer] = useAnswer<MembershipOffer>('/api/memberships/offer');
  const [who] = useAnswer<WhoAnswer>('/api/auth/me');
  const [mine, reload] = useAnswer<MembershipsAnswer>('/api/memberships/my');
  const isKnown = who?.ok === true && who.value.kind === 'user';
  return (
    <Frame title={texts.membership}>
      <h1>{texts.membership}</h1>
      {(offer === undefined || who === undefined || mine === undefined) && <Loading />}
      {offer?.ok === false && <Banner tone="danger">{common.trouble}</Banner>}
      {offer?.ok && who !== undefined && mine !== undefined && (
        <div class="card membership">
          <h2>{texts.memberGets}</h2>
          <ul class="benefits">
            <li>{texts.memberLane}</li>
            {offer.value.presaleHours > 0 && <li>{fill(texts.memberPresale, { count: offer.value.presaleHours })}</li>}
            <li>{texts.memberAccount}</li>
          </ul>
          <Facts
            rows={[
              [texts.memberPrice, money(offer.value.amount, offer.value.currency)],
              [texts.memberLasts, fill(texts.memberDays, { count: offer.value.days })],
            ]}
          />
          {isKnown && mine.ok ? <Mine mine={mine.value} reload={reload} /> : <SignInFirst />}
        </div>
      )}
    </Frame>
  );
}

function Mine({ mine, reload }: { mine: MembershipsAnswer; reload: () => Promise<void> }) {
  const until = lastDay(mine.memberships);
  const [problem, setProblem] = useState<string>();
  const subscribe = async () => {
    const answer = await send<MembershipAnswer>('POST', '/api/memberships/subscribe');
    if (answer.ok) location.assign(`/checkout/memberships/${answer.value.membershipId}`);
    else setProblem(texts.membershipFailed);
  };
  if (mine.memberships.some(({ status }) => status === 'paid')) return <Beginning reload={reload} />;
  return (
    <>
      <Banner tone={mine.isMember ? 'success' : 'info'}>
        {mine.isMember && until !== undefined ? fill(texts.memberUntil, { day: date(until) }) : texts.memberNot}
      </Banner>
      {problem !== undefined && <Banner tone="danger">{problem}</Banner>}
      {mine.isMember && <p class="soft small">{texts.prolongText}</p>}
      <button type="button" class={mine.isMember ? 'wide' : 'main wide'} onClick={subscribe}>
        {mine.isMember ? texts.prolong : texts.subscribe}
      </button>
    </>
  );
}

/** Paid but not active yet. */
function Beginning({ reload }: { reload: () => Promise<void> }) {
  useEvery(POLL_SECONDS, reload);
  return <Banner>{texts.memberSoon}</Banner>;
}

function lastDay(memberships: readonly MembershipAnswer[]): string | undefined {
  const ends = memberships.flatMap(({ status, endsAt }) =>
    status === 'active' && endsAt !== undefined ? [endsAt] : [],
  );
  return ends.sort().at(-1);
}
