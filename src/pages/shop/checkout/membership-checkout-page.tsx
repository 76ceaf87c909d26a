/** Checkout of a membership. */
import { useState } from 'preact/hooks';
import { Banner } from '../shared/banner.tsx';
import { Frame, Loading } from '../shared/frame.tsx';
import { useAnswer } from '../shared/use-answer.ts';
import type { MembershipAnswer, MembershipsAnswer } from '../shared/wire.ts';
import { money, texts } from '../shared/words.ts';
import { PaymentForm } from './payment-form.tsx';

export function MembershipCheckoutPage({ membershipId }: { membershipId: string }) {
  const [answer] = useAnswer<MembershipsAnswer>('/api/memberships/my');
  const found = answer?.ok ? answer.value.memberships.find((one) => one.membershipId === membershipId) : undefined;
  return (
    <Frame title={texts.checkout}>
      <h1>{texts.checkout}</h1>
      {answer === undefined && <Loading />}
      {answer !== undefined && found === undefined && <Banner tone="danger">{texts.notFound}</Banner>}
      {found !== undefined && <Paying membership={found} />}
    </Frame>
  );
}

function Paying({ membership: { membershipId, status, amount, currency } }: { membership: MembershipAnswer }) {
  const [over, setOver] = useState(status === 'pending' ? undefined : texts.memberPaid);
  if (over !== undefined) {
    return (
      <div class="stack narrow">
        <Banner>{over}</Banner>
        <p>
          <a class="button" href="/membership">
            {texts.membership}
          </a>
        </p>
      </div>
    );
  }
  return (
    <div class="narrow">
      <PaymentForm
        purchase={{ paymentType: 'membership', referenceId: membershipId }}
        amount={amount}
        currency={currency}
        onPaid={() => location.replace('/membership')}
        onOver={(problem) => setOver(problem ?? texts.membershipFailed)}
      >
        <ul class="card items">
          <li class="sum">
            <span>{texts.membership}</span>
            <span class="amount">{money(amount, currency)}</span>
          </li>
        </ul>
      </PaymentForm>
    </div>
  );
}
