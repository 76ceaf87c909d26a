/** What the gate decides about a request. */
import type { ErrorCode } from '../../http/errors.ts';
import type { Entry } from '../../line/tokens/entry-pass.ts';
import type { Bypass } from './judge-access.ts';
import type { AdmittedVisitor } from './pass-headers.ts';
import type { Rule } from './rules.ts';

/** `eventId` and `visitor` are those of verified tokens; both are undefined if none was required. */
export interface Pass extends AdmittedVisitor {
  outcome: 'pass';
  /** The normalized target. Forward this, not the received one. */
  target: string;
  /** The requirement of the matching rule; `none` if no rule matches. */
  require: Rule['require'];
  /** Set by a strict rule: the caller must also check with the line that the admission has not ended. */
  strict: { entry: Entry; answer: Rule['answer'] } | undefined;
  /** The session of a verified entry token. `renews`: the request counts as a sign of life. */
  session: { entry: Entry; answer: Rule['answer']; renews: boolean } | undefined;
  /** Cookies for the visitor, complete Set-Cookie values. Every adapter adds them to the site's response. */
  setCookies: readonly string[];
  /** The renewed entry token of a visitor who sends it in a header. Adapters add it by toAnswerHeaders. */
  entryToken?: string;
  /** Set if the request passes without the required tokens. */
  bypass?: Bypass | undefined;
  /** Headers of the visitor that the site must not see, in lower case. */
  withheld?: readonly string[] | undefined;
}

export type Refusal =
  | { outcome: 'redirect'; to: string; code: ErrorCode; waits?: Waits }
  | {
      outcome: 'deny';
      status: number;
      code: ErrorCode;
      message?: string;
      redirectTo?: string;
      waits?: Waits;
      retryAfterSeconds?: number;
      /** Answers with a page. */
      page?: { languages: string | undefined };
    };

/** The refusal sends the visitor to wait, for this event if it is known. */
export interface Waits {
  eventId: string | undefined;
}

export type Decision = Pass | Refusal;

/** Whether to vouch for the request to our own servers. A vwr token alone does not prove admission. */
export function isProven({ require }: Pass): boolean {
  return require === 'entry' || require === 'both';
}
