/** Rate limits per visitor, device, account or IP address. */
import { integer, type Values } from '../platform/settings/settings.ts';

export const limitSettings = {
  LIMIT_JOIN_PER_VISITOR: integer({
    default: 5,
    min: 0,
    max: 1_000_000,
    about: 'New places per visitor and minute, over all rooms; 0: no limit.',
  }),
  LIMIT_GUEST_JOIN_PER_IP: integer({
    default: 10,
    min: 0,
    max: 1_000_000,
    about:
      'Guests of one IP address (/64 for IPv6) who join without a proof of work; the count halves every 5 minutes; 0: all.',
  }),
  LIMIT_VWR_ASSIGN_PER_DEVICE: integer({
    default: 5,
    min: 0,
    max: 1_000_000,
    about: 'Tier 1 numbers per device and minute without a proof of work; 0: no limit.',
  }),
  LIMIT_VWR_ASSIGN_PER_IP: integer({
    default: 10,
    min: 0,
    max: 1_000_000,
    about:
      'Tier 1 numbers for one IP address (/64 for IPv6) without a proof of work; the count halves every 5 minutes; 0: all.',
  }),
  LIMIT_STREAMS_PER_VISITOR: integer({
    default: 2,
    min: 0,
    max: 1_000,
    about: 'Open streams per visitor and event; opening another closes the oldest; 0: no limit.',
  }),
  LIMIT_STREAMS_PER_IP: integer({
    default: 50,
    min: 0,
    max: 1_000_000,
    about: 'Open streams per IP address (/64 for IPv6); 0: no limit.',
  }),
  LIMIT_HOLD_PER_VISITOR: integer({
    default: 6,
    min: 0,
    max: 1_000_000,
    about: 'Attempts per visitor and minute to hold seats or tickets; 0: no limit.',
  }),
  LIMIT_SIGN_IN_PER_IP: integer({
    default: 30,
    min: 0,
    max: 1_000_000,
    about:
      'Requests per IP address (/64 for IPv6) and minute to register, sign in or get a mail; for browsers that signed in ' +
      'before, per account instead; 0: no limit.',
  }),
  LIMIT_WRONG_PASSWORD_PER_ACCOUNT: integer({
    default: 5,
    min: 0,
    max: 1_000_000,
    about:
      'Wrong passwords per account from one IP address (/64 for IPv6) before each further attempt has to wait. The wait ' +
      'doubles from 30 s to 15 min. From all addresses together, four times as many. Browsers that signed in before ' +
      'have a count of their own; 0: no limit.',
  }),
  LIMIT_PAYMENT_PER_VISITOR: integer({
    default: 5,
    min: 0,
    max: 1_000_000,
    about: 'Payment attempts per visitor and minute; 0: no limit.',
  }),
  LIMIT_PUBLIC_READ_PER_IP: integer({
    default: 1_200,
    min: 0,
    max: 1_000_000,
    about:
      'Reads of public shop data per IP address (/64 for IPv6) and minute that reach the database. Repeated requests for ' +
      'the same data are shared and do not count; 0: no limit.',
  }),
  LIMIT_FIND_TICKET_PER_IP: integer({
    default: 10,
    min: 0,
    max: 1_000_000,
    about:
      'Attempts per IP address (/64 for IPv6) and minute to find a ticket by booking code and email. Wrong emails for one ' +
      'code have to wait too; 0: no limit per address.',
  }),
  LIMIT_DRAW_LIST_PER_IP: integer({
    default: 30,
    min: 0,
    max: 1_000_000,
    about: 'Downloads of the list of a draw per IP address (/64 for IPv6) and minute; 0: no limit.',
  }),
  LIMIT_OPERATOR_SIGN_IN_PER_IP: integer({
    default: 10,
    min: 0,
    max: 1_000_000,
    about:
      'Operator sign-in attempts per IP address (/64 for IPv6) and minute. Also how many wrong operator tokens an ' +
      'address may send before it must wait, longer each time; the right token always passes. 0: no limit.',
  }),
};

export interface Limits {
  joinPerVisitor: number;
  guestJoinPerIp: number;
  assignPerDevice: number;
  assignPerIp: number;
  streamsPerVisitor: number;
  streamsPerIp: number;
  holdPerVisitor: number;
  paymentPerVisitor: number;
  signInPerIp: number;
  publicReadPerIp: number;
  findTicketPerIp: number;
  drawListPerIp: number;
  operatorSignInPerIp: number;
  wrongPasswordPerAccount: number;
}

export function toLimits(values: Values<typeof limitSettings>): Limits {
  return {
    joinPerVisitor: values.LIMIT_JOIN_PER_VISITOR,
    guestJoinPerIp: values.LIMIT_GUEST_JOIN_PER_IP,
    assignPerDevice: values.LIMIT_VWR_ASSIGN_PER_DEVICE,
    assignPerIp: values.LIMIT_VWR_ASSIGN_PER_IP,
    streamsPerVisitor: values.LIMIT_STREAMS_PER_VISITOR,
    streamsPerIp: values.LIMIT_STREAMS_PER_IP,
    holdPerVisitor: values.LIMIT_HOLD_PER_VISITOR,
    paymentPerVisitor: values.LIMIT_PAYMENT_PER_VISITOR,
    signInPerIp: values.LIMIT_SIGN_IN_PER_IP,
    publicReadPerIp: values.LIMIT_PUBLIC_READ_PER_IP,
    findTicketPerIp: values.LIMIT_FIND_TICKET_PER_IP,
    drawListPerIp: values.LIMIT_DRAW_LIST_PER_IP,
    operatorSignInPerIp: values.LIMIT_OPERATOR_SIGN_IN_PER_IP,
    wrongPasswordPerAccount: values.LIMIT_WRONG_PASSWORD_PER_ACCOUNT,
  };
}
