/** What a refusal about accounts means, in the visitor's words. */
import type { Problem } from '../shared/api.ts';
import { fill, texts } from '../shared/words.ts';

export function reasonOf({ code, retryAfter }: Problem): string {
  switch (code) {
    case 'WRONG_CREDENTIALS':
      return texts.wrongPassword;
    case 'EMAIL_TAKEN':
      return texts.emailTaken;
    case 'WEAK_PASSWORD':
      return texts.weakPassword;
    case 'LINK_INVALID':
      return texts.linkInvalid;
    case 'RATE_LIMITED':
    case 'SIGN_IN_BUSY':
      return fill(texts.reasonBusy, { seconds: retryAfter ?? 60 });
    case 'NOT_FOUND':
      return texts.noAccounts;
    default:
      return texts.reasonOther;
  }
}
