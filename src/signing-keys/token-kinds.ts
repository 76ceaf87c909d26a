/**
 * Every kind of text that Fairline signs, and its key. A verifier outside that holds a secret may ignore `typ`, so a
 * configured secret signs one kind only: the one that outside parties verify. Every other kind has a key derived from a
 * secret and a label; no two kinds share a key. Free of Node APIs, because a gate in an edge runtime uses it too.
 */
export interface TokenKind {
  /** The setting that its key comes from. */
  setting: string;
  /** Derives the key. Absent: the secret itself is the key, because outside parties verify this kind. */
  label?: string;
  /**
   * Versions up to 0.2.0 signed this kind with the secret itself. Such texts are still verified, never issued. Anyone who
   * could forge one holds the secret, and so could derive the key too.
   */
  acceptsSecret?: boolean;
}

/**
 * No label may be a text that a secret itself signs: all of them start with `fairline`, while a JWT starts with `eyJ`, a
 * webhook with a digit, an old place with `place` and an old ticket with `ticket`.
 */
export const tokenKinds = {
  /** Verified by gates and by the site. */
  entryToken: { setting: 'QUEUE_ENTRY_TOKEN_SECRET' },
  vwrToken: { setting: 'VWR_TOKEN_SECRET' },
  /** Signed by the site, or by us for our own accounts. */
  userSession: { setting: 'AUTH_JWT_SECRET' },
  /** Signed by the payment provider. */
  paymentWebhook: { setting: 'PAYMENT_WEBHOOK_SECRET' },
  /** Verified by the receiver of notices. */
  notice: { setting: 'NOTICE_WEBHOOK_SECRET' },

  /** Old ones are accepted for a year after the upgrade, their life: remove `acceptsSecret` after 2027-12-31. */
  waitingToken: { setting: 'QUEUE_ENTRY_TOKEN_SECRET', label: 'fairline waiting token', acceptsSecret: true },
  /** Of visitors whom a gate let pass while the line could not be asked. */
  failOpenPass: { setting: 'QUEUE_ENTRY_TOKEN_SECRET', label: 'fairline fail-open pass' },
  /** Old ones last 180 days: remove after 2027-06-30. */
  deviceCookie: { setting: 'VWR_TOKEN_SECRET', label: 'fairline device cookie', acceptsSecret: true },
  /** Old ones last VWR_PLACE_TTL_SECONDS, at most 90 days: remove after 2027-06-30. */
  tier1Place: { setting: 'VWR_TOKEN_SECRET', label: 'fairline place of tier 1', acceptsSecret: true },
  /** A challenge lasts minutes, so old ones are not accepted. */
  challenge: { setting: 'VWR_TOKEN_SECRET', label: 'fairline challenge' },
  /** Old ones last 30 days: remove after 2027-06-30. */
  guestCookie: { setting: 'GUEST_SECRET', label: 'fairline guest cookie', acceptsSecret: true },
  /** On paper and in wallets until the event is over: remove after 2028-12-31. */
  ticketCode: { setting: 'TICKET_SECRET', label: 'fairline ticket code', acceptsSecret: true },
  /** Staff open a link once; the device that did holds the pass. */
  staffLink: { setting: 'QUEUE_ENTRY_TOKEN_SECRET', label: 'fairline staff link' },
  staffPass: { setting: 'QUEUE_ENTRY_TOKEN_SECRET', label: 'fairline staff pass' },
  /** Marks a browser that signed in before. */
  knownBrowser: { setting: 'AUTH_JWT_SECRET', label: 'fairline known browser' },
  /** From ADMIN_TOKEN by way of a slow hash (src/signing-keys/operator-keys.ts), because an operator may choose the token. */
  operatorSession: { setting: 'ADMIN_TOKEN', label: 'fairline operator session' },
  /** A session that still needs its second factor. */
  operatorPending: { setting: 'ADMIN_TOKEN', label: 'fairline pending operator session' },
} as const satisfies Record<string, TokenKind>;

/** Derives the default service key from QUEUE_ENTRY_TOKEN_SECRET. That key signs nothing: servers send it as it is. */
export const SERVICE_KEY_LABEL = 'fairline service key';

export type TokenKindName = keyof typeof tokenKinds;
