/** The port to second factors. Every verb is atomic, also between processes. */
export interface SecondFactorStore {
  find(userId: string): Promise<FactorState | undefined>;
  /** Replaces an unconfirmed secret. False: a confirmed one exists. */
  begin(userId: string, sealedSecret: string): Promise<boolean>;
  /** Counts an attempt, before anything is compared. Too many in a row must wait, longer each time. */
  countAttempt(userId: string, kind: 'confirmed' | 'unconfirmed'): Promise<AttemptOutcome>;
  /** False: a code of this time step, or of a later one, was accepted before. */
  acceptStep(userId: string, step: number): Promise<boolean>;
  /** False: there is no such code, or it was used. */
  useRecoveryCode(userId: string, codeHash: string): Promise<boolean>;
  /** Confirms the secret if it is still the given one. */
  confirm(userId: string, confirmation: Confirmation): Promise<boolean>;
  /** False: there was none. */
  remove(userId: string): Promise<boolean>;
}

export interface FactorState {
  isConfirmed: boolean;
  recoveryCodesLeft: number;
}

export type AttemptOutcome =
  | { outcome: 'counted'; sealedSecret: string }
  | { outcome: 'limited'; retryAt: number }
  | { outcome: 'none' };

export interface Confirmation {
  sealedSecret: string;
  step: number;
  recoveryCodeHashes: readonly string[];
}
