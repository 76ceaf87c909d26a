/**
 * What a new place in line takes: a visitor may take few per minute, and guests from an address that made many identities lately
 * pay for theirs with a proof of work. The site vouches for its users; a guest can get any number of new identities.
 */
import { AppError } from '../../http/errors.ts';
import type { IdentityCounts } from '../../identity/identity-counts.ts';
import type { Price } from '../../identity/identity-price.ts';
import type { Answer, ProofOfWork } from '../../identity/proof-of-work.ts';
import type { Visitor } from '../../identity/visitor.ts';
import type { Caller } from '../../platform/http-server/callers.ts';
import type { RateLimit } from '../../platform/rate-limit.ts';

/** A solved challenge: base64url of the JSON `{"challenge", "solution"}`. A header, because it fits every door. */
export const PROOF_HEADER = 'x-queue-proof';
const MAX_PROOF_LENGTH = 4_096;

export interface PlaceLimitsOptions {
  joinsPerVisitor: RateLimit;
  identityCounts: IdentityCounts;
  proofOfWork: ProofOfWork;
  /** How many guests of an address join without a proof of work; 0: all. */
  guestAllowance: number;
}

/** What one new place takes. */
export interface Toll {
  /** How long the visitor must wait; 0: not at all. */
  seconds: number;
  price: Price;
}

const NOTHING: Price = { steps: 0, load: 1 };
const NO_TOLL: Toll = { seconds: 0, price: NOTHING };

export class PlaceLimits {
  readonly #options: PlaceLimitsOptions;

  constructor(options: PlaceLimitsOptions) {
    this.#options = options;
  }

  /** Counts a place that is about to be made; `release` takes it back. */
  reserve(visitor: Visitor, caller: Caller): Toll {
    const { joinsPerVisitor, identityCounts, guestAllowance } = this.#options;
    const seconds = joinsPerVisitor.secondsToWait(visitor.id);
    if (visitor.kind !== 'guest') return seconds === 0 ? NO_TOLL : { seconds, price: NOTHING };
    // Only here, because finding the address of a caller takes a while.
    return { seconds, price: identityCounts.reserve(caller.ip, guestAllowance) };
  }

  /** No place was made. */
  release(visitor: Visitor, caller: Caller): void {
    const { identityCounts, guestAllowance } = this.#options;
    if (visitor.kind === 'guest') identityCounts.release(caller.ip, guestAllowance);
  }

  /** The place was made. */
  note(visitor: Visitor): void {
    this.#options.joinsPerVisitor.count(visitor.id);
  }

  /** Throws unless the visitor may take a new place: in time, and with the proof of work that it costs. */
  async require(eventId: string, visitor: Visitor, { seconds, price }: Toll, caller: Caller): Promise<void> {
    const { identityCounts, proofOfWork, guestAllowance } = this.#options;
    if (seconds > 0) {
      throw new AppError('RATE_LIMITED', {
        message: `Too many places were taken from here. Try again in ${seconds} seconds.`,
        retryAfterSeconds: seconds,
      });
    }
    if (price.steps === 0) return;
    const task = { eventId, owner: visitor.id, price };
    const proof = readProof(caller);
    if (proof !== undefined && (await proofOfWork.accept(proof, task))) return;
    const retryAfterSeconds = identityCounts.secondsToWait(caller.ip, guestAllowance);
    // The code that clients know from before there were challenges: those wait.
    throw new AppError('RATE_LIMITED', {
      message: `Many visitors came from this IP address. Solve the challenge, or try again in ${retryAfterSeconds} seconds.`,
      retryAfterSeconds,
      body: { challenge: await proofOfWork.create(task) },
    });
  }
}

/** undefined: there is none, or it is none that could be verified. */
function readProof({ headers }: Caller): Answer | undefined {
  const text = headers[PROOF_HEADER];
  if (typeof text !== 'string' || text.length > MAX_PROOF_LENGTH) return undefined;
  try {
    const proof: unknown = JSON.parse(Buffer.from(text, 'base64url').toString());
    return isProof(proof) ? proof : undefined;
  } catch {
    return undefined;
  }
}

function isProof(value: unknown): value is Answer {
  const { challenge, solution } = (value ?? {}) as { challenge?: Answer['challenge']; solution?: Answer['solution'] };
  return (
    typeof challenge?.signature === 'string' &&
    typeof challenge.parameters === 'object' &&
    challenge.parameters !== null &&
    Number.isSafeInteger(solution?.counter) &&
    typeof solution?.derivedKey === 'string'
  );
}
