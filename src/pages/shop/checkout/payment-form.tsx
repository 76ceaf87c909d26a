/** The payment form of every checkout: method, button, result. */
import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';
import { Notice } from '../shared/frame.tsx';
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
  /** The items. */
  children: ComponentChildren;
  /** Further actions. */
  end?: (isBusy: boolean) => ComponentChildren;
}

export function PaymentForm({ purchase, amount, currency, onBusy, onPaid, onOver, children, end }: PaymentFormProps) {
  const [method, setMethod] = useState<Method>('card-approve');
  const [said, setSaid] = useState<{ text: string; tone: 'calm' | 'warn' }>();
  const [isBusy, setBusy] = useState(false);
  const turnBusy = (busy: boolean) => {
    setBusy(busy);
    onBusy?.(busy);
  };
  const submit = async (event: Event) => {
    event.preventDefault();
    turnBusy(true);
    setSaid({ text: texts.paying, tone: 'calm' });
    const outcome = await pay(purchase, method, () => setSaid({ text: texts.payWaiting, tone: 'calm' }));
    if (outcome.paid) return onPaid();
    turnBusy(false);
    if (outcome.isOver) onOver(outcome.problem);
    else setSaid({ text: outcome.problem ?? texts.payFailed, tone: 'warn' });
  };
  return (
    <form class="panel checkout" onSubmit={submit}>
      {children}
      <fieldset class="methods" disabled={isBusy}>
        <legend>{texts.payWith}</legend>
        <p class="soft small">{texts.sandbox}</p>
        {METHODS.map((name) => (
          <label key={name}>
            <input type="radio" name="method" value={name} checked={method === name} onChange={() => setMethod(name)} />
            {labelOf(name)}
          </label>
        ))}
      </fieldset>
      {said !== undefined && <Notice tone={said.tone} text={said.text} />}
      <button type="submit" class="main wide" disabled={isBusy}>
        {fill(texts.pay, { amount: money(amount, currency) })}
      </button>
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
