/** The error table: every code that a client can receive, with its HTTP status, message, and whether to retry. */
import type { FieldProblem } from './field-problem.ts';
import { operatorErrors } from './operator-errors.ts';

export interface ErrorKind {
  status: number;
  /** What is wrong and what to do next. The default; an AppError may carry a more specific message. */
  message: string;
  retryable: boolean;
}

export const errorKinds = {
  AMBIGUOUS_PATH: {
    status: 400,
    message: 'Servers could read this path in different ways. Send it in its normal form (RFC 3986).',
    retryable: false,
  },
  BAD_REQUEST: { status: 400, message: 'The request is malformed.', retryable: false },
  INVALID_INPUT: { status: 400, message: 'A field is missing or has an invalid value.', retryable: false },
  IDEMPOTENCY_REQUIRED: {
    status: 400,
    message:
      'The header Idempotency-Key is missing. Send a new one with each new request, and the same when repeating it.',
    retryable: false,
  },
  WEAK_PASSWORD: {
    status: 400,
    message: 'The password is too easy to guess. Choose another one, for example three unrelated words.',
    retryable: false,
  },
  LINK_INVALID: {
    status: 400,
    message: 'The link is invalid, expired or was already used. Request a new one.',
    retryable: false,
  },
  UNAUTHENTICATED: {
    status: 401,
    message: 'Not signed in. Send a bearer token or a session cookie.',
    retryable: false,
  },
  INVALID_TOKEN: {
    status: 401,
    message: 'The token is invalid: wrong signature, expired, or issued for another purpose. Sign in again.',
    retryable: false,
  },
  WRONG_CREDENTIALS: { status: 401, message: 'Wrong email or password.', retryable: false },
  OPERATOR_ONLY: {
    status: 401,
    message: 'Operators only. Send the operator token as a bearer token, or sign in at /admin.',
    retryable: false,
  },
  SECOND_FACTOR_REQUIRED: {
    status: 401,
    message: 'This operator session still needs the second factor. Enter the code, or enrol, at /admin.',
    retryable: false,
  },
  WEBHOOK_REFUSED: { status: 401, message: 'The webhook signature is missing, invalid or too old.', retryable: false },
  PAYMENT_DECLINED: {
    status: 402,
    message: 'The payment was declined. Prepare a new payment to try again.',
    retryable: false,
  },
  ACCOUNT_REQUIRED: {
    status: 403,
    message: 'This event is for users with an account. Sign in, then join again.',
    retryable: false,
  },
  CONFIRMED_ACCOUNT_REQUIRED: {
    status: 403,
    message:
      'This event is for accounts with a confirmed e-mail address. Confirm your address, sign in and join again.',
    retryable: false,
  },
  ENTRY_TOKEN_REQUIRED: { status: 403, message: 'Queue entry token required.', retryable: false },
  ENTRY_TOKEN_INVALID: {
    status: 403,
    message: 'The entry token is invalid: wrong signature, expired, revoked, or issued for another event or visitor.',
    retryable: false,
  },
  VWR_REQUIRED: {
    status: 403,
    message: 'This event uses tier 1. Get a number first and come back when it is served.',
    retryable: false,
  },
  OTHER_VISITOR: {
    status: 403,
    message: 'user_id or the waiting token belongs to another visitor. Omit user_id.',
    retryable: false,
  },
  WAITING_TOKEN_INVALID: {
    status: 403,
    message:
      'The waiting token is invalid: wrong signature, or issued for another purpose. Join again to get a new one.',
    retryable: false,
  },
  NOT_READY: { status: 403, message: 'It is not your turn yet. Retry after the time in Retry-After.', retryable: true },
  VWR_TOKEN_INVALID: {
    status: 403,
    message: 'The vwr token is invalid: wrong signature, expired, or issued for another event or device.',
    retryable: false,
  },
  CROSS_SITE: {
    status: 403,
    message:
      'Cross-site request refused. Send it from a page of this site, or add the origin to TRUSTED_ORIGINS. Operators: ' +
      'send the operator token as a bearer token instead of the cookie.',
    retryable: false,
  },
  METRICS_REFUSED: {
    status: 403,
    message: 'Metrics are not public. Read them on METRICS_PORT, or send METRICS_TOKEN as a bearer token.',
    retryable: false,
  },
  WRONG_CODE: {
    status: 403,
    message: 'The code is wrong, too old, or was used before. Enter the current code of the authenticator app.',
    retryable: true,
  },
  ACCOUNT_SESSION_REQUIRED: {
    status: 403,
    message: 'Only operators who are signed in with an account have a second factor. Sign in with one at /admin.',
    retryable: false,
  },
  ...operatorErrors,
  OWN_SECOND_FACTOR: {
    status: 403,
    message: 'You cannot reset your own second factor. Remove it with a code, or ask another operator to reset it.',
    retryable: false,
  },
  BLOCKED: { status: 403, message: 'The operators of this site have blocked this request.', retryable: false },
  BANNED: {
    status: 403,
    message:
      'The operators have excluded you from this event, so you cannot join or enter. If this is a mistake, contact the organizer.',
    retryable: false,
  },
  NOT_ALLOWED: {
    status: 403,
    message: 'This event is open to selected visitors only at the moment. Come back when it is open to everyone.',
    retryable: false,
  },
  PASS_INVALID: {
    status: 403,
    message: 'The staff link is invalid: wrong signature, expired, revoked, or for another event. Ask for a new one.',
    retryable: false,
  },
  PASS_USED: {
    status: 409,
    message: 'This staff link was already opened on another device. Each device needs a link of its own.',
    retryable: false,
  },
  ACCESS_LIST_FULL: {
    status: 409,
    message: 'The list is full. Remove entries that are no longer needed, or use address ranges.',
    retryable: false,
  },
  ACCESS_ENTRY_NOT_FOUND: { status: 404, message: 'There is no such entry in this room.', retryable: false },
  NOT_OPEN: { status: 403, message: 'This path is not open to visitors.', retryable: false },
  UNKNOWN_HOST: {
    status: 421,
    message: 'No site with this host name here. Operators: add the host to hosts in GATE_SITES_FILE.',
    retryable: false,
  },
  NOT_FOUND: { status: 404, message: 'No such endpoint.', retryable: false },
  EVENT_NOT_FOUND: { status: 404, message: 'This event has no room.', retryable: false },
  CHANGE_NOT_FOUND: {
    status: 404,
    message: 'There is no such scheduled change; it may have been applied or cancelled.',
    retryable: false,
  },
  NO_DRAW: { status: 404, message: 'This room has no draw.', retryable: false },
  DRAW_NOT_DONE: {
    status: 409,
    message: 'The draw has not been held yet. Retry after the room opens.',
    retryable: true,
  },
  VWR_NOT_ACTIVE: {
    status: 404,
    message: 'Tier 1 is off for this event. Join its line directly.',
    retryable: false,
  },
  VWR_PLACE_NOT_FOUND: {
    status: 404,
    message: 'The place is invalid: wrong signature, expired, or of another event, device or sale. Get a new number.',
    retryable: false,
  },
  SHOP_EVENT_NOT_FOUND: { status: 404, message: 'No such event.', retryable: false },
  LAYOUT_NOT_FOUND: { status: 404, message: 'No such seat layout.', retryable: false },
  SEATS_NOT_FOUND: {
    status: 404,
    message: 'Some of these seats or ticket types do not belong to this event.',
    retryable: false,
  },
  RESERVATION_NOT_FOUND: { status: 404, message: 'You have no such reservation.', retryable: false },
  TICKET_NOT_FOUND: {
    status: 404,
    message: 'No ticket matches. Check the booking code and the email, or ask the buyer for a new link.',
    retryable: false,
  },
  SESSION_NOT_FOUND: { status: 404, message: 'You have no such session.', retryable: false },
  ACCOUNT_NOT_FOUND: { status: 404, message: 'No account has this email.', retryable: false },
  NO_SECOND_FACTOR: { status: 404, message: 'This account has no second factor.', retryable: false },
  PAYMENT_NOT_FOUND: { status: 404, message: 'You have no such payment.', retryable: false },
  TRANSFER_NOT_FOUND: { status: 404, message: 'No such transfer, or it is your own.', retryable: false },
  MEMBERSHIP_NOT_FOUND: { status: 404, message: 'You have no such membership.', retryable: false },
  TOKEN_NOT_FOUND: {
    status: 404,
    message: 'There is no place for this waiting token: it is unknown, or the place is gone. Join again.',
    retryable: false,
  },
  METHOD_NOT_ALLOWED: { status: 405, message: 'This endpoint does not support this method.', retryable: false },
  ROOM_CLOSED: { status: 409, message: 'The room is closed. Nobody can join.', retryable: false },
  DUPLICATE_REQUEST: {
    status: 409,
    message:
      'This Idempotency-Key was used before. The response has the place it created; use a new key to join again.',
    retryable: false,
  },
  EVENT_ON_SALE: {
    status: 409,
    message: 'The event is already on sale, so this can no longer be changed.',
    retryable: false,
  },
  EVENT_CANCELLED: { status: 409, message: 'The event was cancelled.', retryable: false },
  SALES_ENDED: { status: 409, message: 'Ticket sales for this event have ended.', retryable: false },
  NOT_ON_SALE_YET: { status: 409, message: 'The sale has not started yet. Nothing was held.', retryable: true },
  NOTHING_TO_SELL: {
    status: 409,
    message: 'The event has no seats or tickets yet. Generate them first.',
    retryable: false,
  },
  SEATS_TAKEN: {
    status: 409,
    message: 'These seats were just taken. Nothing was held; choose other seats.',
    retryable: false,
  },
  SOLD_OUT: { status: 409, message: 'Not enough tickets left. Nothing was held.', retryable: true },
  LIMIT_PER_PERSON: { status: 409, message: 'This exceeds the ticket limit per person.', retryable: false },
  NOT_TRANSFERABLE: {
    status: 409,
    message: 'Not transferable. A reservation must be paid, not yet listed, and its event not yet started.',
    retryable: false,
  },
  TRANSFER_OVER: { status: 409, message: 'The transfer was already paid, completed or cancelled.', retryable: false },
  PAYMENT_MISMATCH: {
    status: 409,
    message: 'The payment does not match the prepared one. Nothing was charged.',
    retryable: false,
  },
  HOLD_ENDED: {
    status: 409,
    message: 'The hold has ended and can no longer be paid. Nothing was charged. Choose seats again.',
    retryable: false,
  },
  ALREADY_PAID: { status: 409, message: 'This reservation is already paid.', retryable: false },
  PAYMENT_OVER: { status: 409, message: 'This payment is closed. Prepare a new one.', retryable: false },
  PAYMENT_REFUNDED: {
    status: 409,
    message:
      'The hold ended before the payment arrived, and the purchase is no longer possible. It is refunded in full.',
    retryable: false,
  },
  PAYMENT_IN_PROGRESS: {
    status: 409,
    message: 'The payment is still being processed. Retry in a moment.',
    retryable: true,
  },
  EMAIL_TAKEN: { status: 409, message: 'This email already has an account. Sign in instead.', retryable: false },
  SECOND_FACTOR_EXISTS: {
    status: 409,
    message: 'The account already has a second factor. Remove it with a code first.',
    retryable: false,
  },
  NOT_CANCELLABLE: { status: 409, message: 'The reservation can no longer be cancelled.', retryable: false },
  PLACE_GONE: {
    status: 410,
    message: 'The place no longer exists: the visitor left, it expired, or was not used in time. Join again.',
    retryable: false,
  },
  REQUEST_TIMEOUT: {
    status: 408,
    message: 'The request took too long to arrive. Send it again over a faster connection.',
    retryable: true,
  },
  BODY_TOO_LARGE: { status: 413, message: 'The request body exceeds the limit of this endpoint.', retryable: false },
  URI_TOO_LONG: {
    status: 414,
    message: 'The request target is too long. Shorten the path or query.',
    retryable: false,
  },
  UNSUPPORTED_MEDIA_TYPE: { status: 415, message: 'Send JSON, with content-type application/json.', retryable: false },
  NO_IMAGE: {
    status: 422,
    message: 'The body is not an image that can be shown. Send a JPEG, PNG or WebP file of up to 50 megapixels.',
    retryable: false,
  },
  IDEMPOTENCY_KEY_REUSED: {
    status: 422,
    message: 'This Idempotency-Key was used with other parameters. Use a new key for a new request.',
    retryable: false,
  },
  RATE_LIMITED: { status: 429, message: 'Too many requests. Retry after the time in Retry-After.', retryable: true },
  PROOF_OF_WORK_REQUIRED: {
    status: 429,
    message: 'Many visitors came from this IP address. Solve the challenge and retry with it, or wait for Retry-After.',
    retryable: true,
  },
  HEADERS_TOO_LARGE: {
    status: 431,
    message: 'The request headers are too large. Delete the cookies of this site and retry.',
    retryable: false,
  },
  INTERNAL: { status: 500, message: 'Internal error. Retry; if it persists, report the trace_id.', retryable: true },
  UPSTREAM_UNREACHABLE: {
    status: 502,
    message: 'The site behind the gate is unreachable. Retry in a moment.',
    retryable: true,
  },
  STORE_UNAVAILABLE: {
    status: 503,
    message: 'The store is unavailable. No place is lost; retry in a moment.',
    retryable: true,
  },
  SIGN_IN_BUSY: {
    status: 503,
    message: 'Too many sign-ins at the moment. No place is lost; retry in a moment.',
    retryable: true,
  },
  VWR_SWITCHING: {
    status: 503,
    message: 'Tier 1 is being switched on or off for this event. Retry in a moment.',
    retryable: true,
  },
  STOPPING: {
    status: 503,
    message: 'This instance is shutting down. Retry; another instance will respond.',
    retryable: true,
  },
  GATE_BUSY: {
    status: 503,
    message: 'The gate has no capacity left for this request. No place is lost; retry after the time in Retry-After.',
    retryable: true,
  },
  LINE_UNAVAILABLE: {
    status: 503,
    message:
      'The waiting room cannot be reached, so nobody new can enter. No place is lost; retry after the time in Retry-After.',
    retryable: true,
  },
  UPSTREAM_TIMEOUT: {
    status: 504,
    message: 'The site behind the gate did not respond in time. Retry in a moment.',
    retryable: true,
  },
} as const satisfies Record<string, ErrorKind>;

export type ErrorCode = keyof typeof errorKinds;

export interface AppErrorOptions {
  message?: string;
  fields?: FieldProblem[];
  retryAfterSeconds?: number;
  /** Where a browser should go instead; a path of this site. */
  redirectTo?: string;
  /** Fields of the response next to `error`. */
  body?: object;
}

/** An error for the client. Anything else that is thrown becomes INTERNAL. */
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
