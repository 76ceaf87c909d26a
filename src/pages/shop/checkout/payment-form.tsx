/** The payment form of every checkout: method, button, result. */
import type { ComponentChildren, RefObject } from 'preact';
import { useState } from 'preact/hooks';
import { Banner, type Tone } from '../shared/banner.tsx';
import { fill, money, texts } from '../shared/words.ts';
import { METHODS, type Method, type Purchase, pay } from './pay.ts';

export interface PaymentFormProps {
  purchase: Purchase;
  amount: number;
  currency: string;
  onBusy?: (isBusy: boolean) => void;
  onPaid: () => void;
  /** The item is no longer available; `problem` says why, if known. */
  onOver: (problem: string | undefined) => void;
  /** Before the payment: false if the form has problems, which it shows beside its fields; a text if something else failed. */
  prepare?: (form: FormData) => Promise<boolean | string>;
  formRef?: RefObject<HTMLFormElement | null>;
  /** Above the payment method. */
  children?: ComponentChildren;
  /** Between the payment method and the button. */
  beforePay?: ComponentChildren;
  /** Further actions. */
  end?: (isBusy: boolean) => ComponentChildren;
}

export function PaymentForm(props: PaymentFormProps) {
  const { purchase, amount, currency, onBusy, onPaid, onOver, prepare, formRef, children, beforePay, end } = props;
  const [method, setMethod] = useState<Method>('card-approve');
  const [said, setSaid] = useState<{ text: string; tone: Tone }>();
  const [isBusy, setBusy] = useState(false);
  const turnBusy = (busy: boolean) => {
    setBusy(busy);
    onBusy?.(busy);
  };
  const submit = async (event: SubmitEvent) => {
    event.preventDefault();
    const form = new FormData(event.currentTarget as HTMLFormElement);
    setSaid(undefined);
    const isReady = (await prepare?.(form)) ?? true;
    if (isReady !== true) {
      if (isReady !== false) setSaid({ text: isReady, tone: 'danger' });
      return;
    }
    turnBusy(true);
    setSaid({ text: texts.paying, tone: 'info' });
    const outcome = await pay(purchase, method, () => setSaid({ text: texts.payWaiting, tone: 'warning' }));
    if (outcome.paid) return onPaid();
    turnBusy(false);
    if (outcome.isOver) onOver(outcome.problem);
    else setSaid({ text: outcome.problem ?? texts.payFailed, tone: 'danger' });
  };
  return (
    <form class="checkout stack" ref={formRef ?? null} onSubmit={submit} noValidate>
      {children}
      <fieldset class="card stack methods" disabled={isBusy}>
        <legend class="visually-hidden">{texts.payWith}</legend>
        <div class="row between">
          <h2>{texts.payWith}</h2>
          <span class="badge warning">{texts.testBadge}</span>
        </div>
        <p class="soft small">{texts.sandbox}</p>
        <div class="method-list">
          {METHODS.map((name) => (
            <label key={name} class="method">
              <input
                type="radio"
                name="method"
                value={name}
                checked={method === name}
                onChange={() => setMethod(name)}
              />
              {labelOf(name)}
            </label>
          ))}
        </div>
      </fieldset>
      {beforePay}
      {said !== undefined && <Banner tone={said.tone}>{said.text}</Banner>}
      <div class="pay-bar">
        <button type="submit" class="main wide" disabled={isBusy}>
          {fill(texts.pay, { amount: money(amount, currency) })}
        </button>
      </div>
      {end?.(isBusy)}
    </form>
  );
}

function labelOf(method: Method): string {
  return {
    'card-approve': texts.cardApprove,
    'card-decline': texts.cardDecline,
    'card-late': texts.cardLate,
    'card-timeout': texts.cardTimeout,
  }[method];
}
