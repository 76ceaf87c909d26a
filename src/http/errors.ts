/** Every error that leaves this program: its code, HTTP status, message and whether trying again can help. */
export interface ErrorKind {
  status: number;
  /** What happened and what to do about it; the default where the occasion has nothing better to say. */
  message: string;
  retryable: boolean;
}

export const errorKinds = {
  AMBIGUOUS_PATH: {
    status: 400,
    message: 'The address can be read in more than one way, and is therefore not taken.',
    retryable: false,
  },
  BAD_REQUEST: { status: 400, message: 'The request is malformed.', retryable: false },
  INVALID_INPUT: { status: 400, message: 'A field is missing or has a value that is not allowed.', retryable: false },
  UNAUTHENTICATED: {
    status: 401,
    message: 'Sign in first: send a bearer token, or a session cookie.',
    retryable: false,
  },
  INVALID_TOKEN: {
    status: 401,
    message: 'The token is not valid: forged, expired, or made for another purpose. Sign in again.',
    retryable: false,
  },
  WRONG_CREDENTIALS: { status: 401, message: 'The email or the password is not right.', retryable: false },
  OPERATOR_ONLY: {
    status: 401,
    message: 'Operators only: send the operator token as a bearer token, or sign in at /admin.',
    retryable: false,
  },
  WEBHOOK_REFUSED: { status: 401, message: 'The signature is missing, forged, or too old.', retryable: false },
  PAYMENT_DECLINED: {
    status: 402,
    message: 'The payment was declined. Prepare a new one to try again.',
    retryable: false,
  },
  ENTRY_TOKEN_REQUIRED: { status: 403, message: 'Queue entry token required.', retryable: false },
  ENTRY_TOKEN_INVALID: {
    status: 403,
    message: 'The entry token is not valid here: forged, expired, ended, or made for another event or visitor.',
    retryable: false,
  },
  VWR_REQUIRED: {
    status: 403,
    message: 'This event gives out numbers before its line: take one first, and come back when it is your turn.',
    retryable: false,
  },
  OTHER_VISITOR: {
    status: 403,
    message: 'You can act only for yourself: user_id or the waiting token names another visitor. Leave user_id out.',
    retryable: false,
  },
  WAITING_TOKEN_INVALID: {
    status: 403,
    message: 'The waiting token is not valid: forged, damaged, or made for another purpose. Join to get one.',
    retryable: false,
  },
  NOT_READY: { status: 403, message: 'It is not your turn yet. Try again after the time given.', retryable: true },
  VWR_TOKEN_INVALID: {
    status: 403,
    message: 'The vwr token is not valid here: forged, expired, or made for another event or device.',
    retryable: false,
  },
  CROSS_SITE: {
    status: 403,
    message: 'By a cookie, only pages of this site may change something. Send the operator token instead.',
    retryable: false,
  },
  NOT_OPEN: { status: 403, message: 'This address is not open to visitors.', retryable: false },
  NOT_FOUND: { status: 404, message: 'There is nothing at this address.', retryable: false },
  EVENT_NOT_FOUND: { status: 404, message: 'There is no room for this event.', retryable: false },
  NO_DRAW: { status: 404, message: 'The order of this room is not drawn by lot.', retryable: false },
  DRAW_NOT_DONE: { status: 409, message: 'The draw is not done yet. Come back after the room opens.', retryable: true },
  VWR_NOT_ACTIVE: {
    status: 404,
    message: 'No numbers are given out for this event: go on to its line.',
    retryable: false,
  },
  VWR_PLACE_NOT_FOUND: {
    status: 404,
    message: 'This place is not good here: forged, too old, or of another event, device or sale. Take a new number.',
    retryable: false,
  },
  SHOP_EVENT_NOT_FOUND: { status: 404, message: 'There is no such event in the shop.', retryable: false },
  LAYOUT_NOT_FOUND: { status: 404, message: 'There is no such seat layout.', retryable: false },
  SEATS_NOT_FOUND: {
    status: 404,
    message: 'Some of these seats or ticket types are not of this event.',
    retryable: false,
  },
  RESERVATION_NOT_FOUND: { status: 404, message: 'You have no such reservation.', retryable: false },
  ACCOUNT_NOT_FOUND: { status: 404, message: 'There is no account with this email.', retryable: false },
  PAYMENT_NOT_FOUND: { status: 404, message: 'You have no such payment.', retryable: false },
  TRANSFER_NOT_FOUND: { status: 404, message: 'There is no such transfer, or it is your own.', retryable: false },
  MEMBERSHIP_NOT_FOUND: { status: 404, message: 'You have no such membership.', retryable: false },
  METHOD_NOT_ALLOWED: { status: 405, message: 'This address does not take this method.', retryable: false },
  ROOM_CLOSED: { status: 409, message: 'The room is closed: nobody can join it now.', retryable: false },
  DUPLICATE_REQUEST: {
    status: 409,
    message:
      'This request was made before. The answer has the place that it gave; join anew with a new Idempotency-Key.',
    retryable: false,
  },
  EVENT_ON_SALE: {
    status: 409,
    message: 'The event was put on sale already; this can no longer be changed.',
    retryable: false,
  },
  EVENT_CANCELLED: { status: 409, message: 'The event was cancelled.', retryable: false },
  NOT_ON_SALE_YET: { status: 409, message: 'The sale has not begun. Nothing was held.', retryable: true },
  NOTHING_TO_SELL: {
    status: 409,
    message: 'The event has no seats or tickets yet. Generate them first.',
    retryable: false,
  },
  SEATS_TAKEN: {
    status: 409,
    message: 'Somebody else has these seats. Nothing was held; choose others.',
    retryable: false,
  },
  SOLD_OUT: { status: 409, message: 'Not so many are left. Nothing was held.', retryable: true },
  LIMIT_PER_PERSON: { status: 409, message: 'That would be more tickets than one person may have.', retryable: false },
  NOT_TRANSFERABLE: {
    status: 409,
    message:
      'Only a reservation that is paid, and not listed yet, can be listed for transfer, before its event begins.',
    retryable: false,
  },
  TRANSFER_OVER: { status: 409, message: 'The transfer was paid for, completed or cancelled.', retryable: false },
  PAYMENT_MISMATCH: {
    status: 409,
    message: 'The payment is not the one that was prepared. Nothing was charged.',
    retryable: false,
  },
  HOLD_ENDED: {
    status: 409,
    message: 'The hold has ended and somebody else has what was held. Nothing was charged.',
    retryable: false,
  },
  ALREADY_PAID: { status: 409, message: 'This reservation is paid already.', retryable: false },
  PAYMENT_OVER: { status: 409, message: 'This payment is over. Prepare a new one.', retryable: false },
  PAYMENT_REFUNDED: {
    status: 409,
    message: 'Somebody else has what was held by now. The payment is refunded in full.',
    retryable: false,
  },
  PAYMENT_IN_PROGRESS: {
    status: 409,
    message: 'The payment is under way. Try again when it is known what became of it.',
    retryable: true,
  },
  EMAIL_TAKEN: { status: 409, message: 'This email has an account already. Sign in instead.', retryable: false },
  NOT_CANCELLABLE: { status: 409, message: 'The reservation can no longer be cancelled.', retryable: false },
  PLACE_GONE: {
    status: 410,
    message: 'The place is gone: given up, lapsed, or not entered in time. Join again.',
    retryable: false,
  },
  BODY_TOO_LARGE: { status: 413, message: 'The body is larger than this address takes.', retryable: false },
  UNSUPPORTED_MEDIA_TYPE: { status: 415, message: 'Send JSON, with content-type application/json.', retryable: false },
  IDEMPOTENCY_KEY_REUSED: {
    status: 422,
    message: 'This Idempotency-Key came with other parameters before. Use a new key for a new request.',
    retryable: false,
  },
  RATE_LIMITED: { status: 429, message: 'Too many requests. Try again after the time given.', retryable: true },
  PROOF_OF_WORK_REQUIRED: {
    status: 429,
    message: 'Many numbers were taken from here. Solve the challenge and ask again with it, or wait the time given.',
    retryable: true,
  },
  INTERNAL: { status: 500, message: 'Something went wrong on our side.', retryable: true },
  UPSTREAM_UNREACHABLE: {
    status: 502,
    message: 'The site behind the gate cannot be reached right now. Try again in a moment.',
    retryable: true,
  },
  STORE_UNAVAILABLE: {
    status: 503,
    message: 'The store cannot be reached right now. Nobody loses their place; try again in a moment.',
    retryable: true,
  },
  SIGN_IN_BUSY: {
    status: 503,
    message: 'Many people are signing in right now. Nobody loses their place; try again in a moment.',
    retryable: true,
  },
  VWR_SWITCHING: {
    status: 503,
    message: 'Numbers are just being switched on or off for this event. Try again in a moment.',
    retryable: true,
  },
  STOPPING: { status: 503, message: 'This instance is stopping. Try again, another one will answer.', retryable: true },
  UPSTREAM_TIMEOUT: {
    status: 504,
    message: 'The site behind the gate did not answer in time. Try again in a moment.',
    retryable: true,
  },
} as const satisfies Record<string, ErrorKind>;

export type ErrorCode = keyof typeof errorKinds;

export interface FieldProblem {
  field: string;
  message: string;
}

export interface AppErrorOptions {
  message?: string;
  fields?: FieldProblem[];
  retryAfterSeconds?: number;
  /** Where a person should go instead; same-site paths only. */
  redirectTo?: string;
  /** What the answer carries beside the error. */
  body?: object;
}

/** An error to be told to whoever asked. Everything else that is thrown is a surprise and becomes INTERNAL. */
export class AppError extends Error {
  override readonly name = 'AppError';
  readonly code: ErrorCode;
  readonly fields: FieldProblem[] | undefined;
  readonly retryAfterSeconds: number | undefined;
  readonly redirectTo: string | undefined;
  readonly body: object | undefined;

  constructor(code: ErrorCode, options: AppErrorOptions = {}) {
    super(options.message ?? errorKinds[code].message);
    this.code = code;
    this.fields = options.fields;
    this.retryAfterSeconds = options.retryAfterSeconds;
    this.redirectTo = options.redirectTo;
    this.body = options.body;
  }

  get status(): number {
    return errorKinds[this.code].status;
  }
}
