/** A request as the gate sees it, and what the gate verifies it with. */
import type { Entry } from '../../line/tokens/entry-pass.ts';
import type { VwrPass } from '../../tier1/tokens/vwr-pass.ts';
import type { StaffPass } from './staff-pass.ts';

export type Headers = Readonly<Record<string, string | string[] | undefined>>;

export interface GateRequest {
  method: string;
  /** Path and query as received. */
  target: string;
  /** Keyed by lower-case name. */
  headers: Headers;
  /** Whether cookies for this visitor get the Secure flag. Absent: they do not. */
  isSecure?: () => boolean;
  /** Host and port under which the visitor knows the site, if not those of the Host header. */
  host?: string | undefined;
  /** The client's IP address, as TRUST_PROXY defines it; undefined if the adapter does not know it. */
  address?: string | undefined;
  /** The crawler that DNS has confirmed; undefined for everyone else. */
  crawler?: string | undefined;
}

/** Verifies what a request presents. A token that is not genuine yields undefined. */
export interface VerificationKeys {
  entry(token: string): Entry | undefined;
  vwr(token: string): VwrPass | undefined;
  /** The id of the authenticated visitor. */
  caller(headers: Headers): string | undefined;
  device(headers: Headers): string | undefined;
  /** Waits for keys that a request names and that are not known yet; undefined: nothing to wait for. Never rejects. */
  prepare?(headers: Headers): Promise<void> | undefined;
  /** Whether `proof` is the shared secret of our own CDN, which has already checked the tokens. */
  isVerifiedByCdn(proof: string): boolean;
  /** Absent: no staff pass is accepted. */
  staffPass?(token: string): StaffPass | undefined;
  /** SHA-256 in hex, to compare secrets. Absent: no secret is accepted. */
  digest?(text: string): string | undefined;
}
