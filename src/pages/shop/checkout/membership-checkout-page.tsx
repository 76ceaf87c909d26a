/** Checkout of a membership. */
import { useState } from 'preact/hooks';
import { Frame, Loading, Notice } from '../shared/frame.tsx';
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
      {answer !== undefined && found === undefined && <Notice tone="warn" text={texts.notFound} />}
      {found !== undefined && <Paying membership={found} />}
    </Frame>
  );
}

function Paying({ membership: { membershipId, status, amount, currency } }: { membership: MembershipAnswer }) {
  const [over, setOver] = useState(status === 'pending' ? undefined : texts.memberPaid);
  if (over !== undefined) {
    return (
      <>
        <Notice text={over} />
        <p>
          <a class="button" href="/membership">
            {texts.membership}
          </a>
        </p>
      </>
    );
  }
  return (
    <PaymentForm
      purchase={{ paymentType: 'membership', referenceId: membershipId }}
      amount={amount}
      currency={currency}
      onPaid={() => location.replace('/membership')}
      onOver={(problem) => setOver(problem ?? texts.membershipFailed)}
    >
      <ul class="items">
        <li class="sum">
          <span>{texts.membership}</span>
          <span class="amount">{money(amount, currency)}</span>
        </li>
      </ul>
    </PaymentForm>
  );
}
