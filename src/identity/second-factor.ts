/**
 * The second factor of operators who sign in with an account: codes of an authenticator app, and recovery codes for the
 * day on which the app is lost. A code is accepted once. Attempts are limited per account; only somebody who knows the
 * password can make any, so a stranger cannot lock an operator out.
 */
import { createHash, randomBytes } from 'node:crypto';
import type { Clock } from '../platform/clock.ts';
import type { SecretBox } from '../platform/crypto/secret-box.ts';
import type { OperatorAccount } from './operator-accounts.ts';
import type { SecondFactorStore } from './second-factor-store.ts';
import { findStep, fromBase32, toBase32, toOtpauthUri } from './totp.ts';

/** off: never asked for. optional: asked for where an operator has one. required: operators must enrol. */
export type SecondFactorSetting = 'off' | 'optional' | 'required';

/** What a session of the account still needs. */
export type MissingStep = 'code' | 'enrol';

export type CodeOutcome =
  | { outcome: 'right'; by: 'app' | 'recovery code' }
  | { outcome: 'wrong' }
  | { outcome: 'limited'; retryAfterSeconds: number }
  | { outcome: 'none' };

export type ConfirmOutcome =
  | { outcome: 'confirmed'; recoveryCodes: string[] }
  | Exclude<CodeOutcome, { outcome: 'right' }>;

export interface SecondFactorOptions {
  setting: SecondFactorSetting;
  store: SecondFactorStore;
  box: SecretBox;
  clock: Clock;
}

/** As RFC 4226 recommends. */
const SECRET_BYTES = 20;
const RECOVERY_CODES = 10;
/** 80 bits: the hashes cannot be reversed by trying. */
const RECOVERY_BYTES = 10;
const ISSUER = 'Fairline';

export class SecondFactor {
  readonly #options: SecondFactorOptions;

  constructor(options: SecondFactorOptions) {
    this.#options = options;
  }

  get setting(): SecondFactorSetting {
    return this.#options.setting;
  }

  get store(): Pick<SecondFactorStore, 'find' | 'remove'> {
    return this.#options.store;
  }

  /** What a new session of the account needs before it is valid. */
  findMissing({ hasFactor }: OperatorAccount): MissingStep | undefined {
    const { setting } = this.#options;
    if (setting === 'off') return undefined;
    if (hasFactor) return 'code';
    return setting === 'required' ? 'enrol' : undefined;
  }

  /** A new secret, valid after `confirm`; undefined: the account has a confirmed one. */
  async begin({ userId, email }: OperatorAccount): Promise<{ secret: string; uri: string } | undefined> {
    const { store, box } = this.#options;
    const secret = toBase32(randomBytes(SECRET_BYTES));
    if (!(await store.begin(userId, box.seal(secret, userId)))) return undefined;
    return { secret, uri: toOtpauthUri(secret, email, ISSUER) };
  }

  async confirm({ userId }: OperatorAccount, code: string): Promise<ConfirmOutcome> {
    const { store, clock } = this.#options;
    const attempt = await store.countAttempt(userId, 'unconfirmed');
    if (attempt.outcome !== 'counted') return this.#toRefusal(attempt);
    const { sealedSecret } = attempt;
    const secret = this.#open(sealedSecret, userId);
    const step = secret && findStep(secret, code, clock.now() / 1000);
    if (step === undefined) return { outcome: 'wrong' };
    const recoveryCodes = Array.from({ length: RECOVERY_CODES }, createRecoveryCode);
    const recoveryCodeHashes = recoveryCodes.map((text) => hashRecoveryCode(userId, text));
    const isConfirmed = await store.confirm(userId, { sealedSecret, step, recoveryCodeHashes });
    return isConfirmed ? { outcome: 'confirmed', recoveryCodes } : { outcome: 'wrong' };
  }

  async check({ userId }: OperatorAccount, code: string): Promise<CodeOutcome> {
    const { store } = this.#options;
    const attempt = await store.countAttempt(userId, 'confirmed');
    if (attempt.outcome !== 'counted') return this.#toRefusal(attempt);
    if (!/^\d{6}$/.test(code)) {
      const isRight = await store.useRecoveryCode(userId, hashRecoveryCode(userId, code));
      return isRight ? { outcome: 'right', by: 'recovery code' } : { outcome: 'wrong' };
    }
    const secret = this.#open(attempt.sealedSecret, userId);
    const step = secret && findStep(secret, code, this.#options.clock.now() / 1000);
    const isRight = step !== undefined && (await store.acceptStep(userId, step));
    return isRight ? { outcome: 'right', by: 'app' } : { outcome: 'wrong' };
  }

  /** undefined after a change of the operator token: recovery codes still work, or another operator resets the factor. */
  #open(sealed: string, userId: string): Buffer | undefined {
    const secret = this.#options.box.open(sealed, userId);
    return secret === undefined ? undefined : fromBase32(secret);
  }

  #toRefusal(attempt: { outcome: 'limited'; retryAt: number } | { outcome: 'none' }) {
    if (attempt.outcome === 'none') return attempt;
    const retryAfterSeconds = Math.max(1, Math.ceil((attempt.retryAt - this.#options.clock.now()) / 1000));
    return { outcome: 'limited' as const, retryAfterSeconds };
  }
}

/** Four groups of four letters and digits. */
function createRecoveryCode(): string {
  return toBase32(randomBytes(RECOVERY_BYTES)).toLowerCase().match(/.{4}/g)!.join('-');
}

function hashRecoveryCode(userId: string, code: string): string {
  const plain = code.toLowerCase().replaceAll(/[\s-]/g, '');
  return createHash('sha256').update(`fairline recovery code\n${userId}\n${plain}`).digest('hex');
}
