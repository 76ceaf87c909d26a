/** Who buys: name, email and phone, and the consent to the terms. */
import type { ComponentChildren } from 'preact';
import { LONGEST_EMAIL, LONGEST_NAME, LONGEST_PHONE } from '../../../shop/rules/buyer-form.ts';
import type { Answer } from '../shared/api.ts';
import { TextField } from '../shared/text-field.tsx';
import type { Problems } from '../shared/use-problems.ts';
import type { BuyerAnswer, WhoAnswer } from '../shared/wire.ts';
import { texts } from '../shared/words.ts';

export interface BuyerFieldsProps {
  /** What the visitor said before. */
  buyer: BuyerAnswer | undefined;
  who: Answer<WhoAnswer>;
  problems: Problems;
}

export function BuyerFields({ buyer, who, problems }: BuyerFieldsProps) {
  const account = who.ok ? who.value : undefined;
  return (
    <fieldset class="card stack buyer">
      <legend class="visually-hidden">{texts.buyerTitle}</legend>
      <h2>{texts.buyerTitle}</h2>
      {hasSignIn(who) && (
        <p class="row between soft">
          <span>{texts.buyAsGuest}</span>
          <a href={`/sign-in?to=${encodeURIComponent(location.pathname)}`}>{texts.signInFaster}</a>
        </p>
      )}
      <TextField
        name="name"
        label={texts.buyerName}
        autocomplete="name"
        maxLength={LONGEST_NAME}
        defaultValue={buyer?.name ?? account?.name ?? ''}
        problem={problems.name}
      />
      <TextField
        name="email"
        type="email"
        label={texts.email}
        autocomplete="email"
        maxLength={LONGEST_EMAIL}
        defaultValue={buyer?.email ?? account?.email ?? ''}
        problem={problems.email}
        hint={texts.buyerEmailHint}
      />
      <TextField
        name="phone"
        type="tel"
        label={texts.buyerPhone}
        autocomplete="tel"
        maxLength={LONGEST_PHONE}
        defaultValue={buyer?.phone ?? ''}
        problem={problems.phone}
      />
      <p class="soft small">{texts.buyerWhy}</p>
    </fieldset>
  );
}

/** The visitor has no account here, and there are accounts. */
function hasSignIn(who: Answer<WhoAnswer>): boolean {
  return who.ok ? who.value.kind === 'guest' : who.problem.code === 'UNAUTHENTICATED';
}

export function TermsField({ problem, refund }: { problem: string | undefined; refund: ComponentChildren }) {
  return (
    <div class="card stack terms">
      {refund}
      <div class="field">
        <label class="check">
          <input
            type="checkbox"
            name="terms"
            required
            aria-invalid={problem === undefined ? undefined : 'true'}
            aria-describedby={problem === undefined ? undefined : 'terms-problem'}
          />
          <span>{texts.terms}</span>
        </label>
        {problem !== undefined && (
          <span class="problem" id="terms-problem">
            {problem}
          </span>
        )}
      </div>
    </div>
  );
}
