/** How often and how much one visitor, device or address may ask for: part of the table of settings. */
import { integer, type Values } from '../platform/settings/settings.ts';

export const limitSettings = {
  LIMIT_JOIN_PER_VISITOR: integer({
    default: 5,
    min: 0,
    max: 1_000_000,
    about: 'New places one visitor may take per minute, over all rooms; 0 is no limit.',
  }),
  LIMIT_GUEST_JOIN_PER_IP: integer({
    default: 30,
    min: 0,
    max: 1_000_000,
    about: 'New places all guests of one address (/64 for IPv6) may take per minute; 0 is no limit.',
  }),
  LIMIT_VWR_ASSIGN_PER_DEVICE: integer({
    default: 5,
    min: 0,
    max: 1_000_000,
    about: 'Numbers one device may ask tier 1 for per minute without a proof of work; 0 is no limit.',
  }),
  LIMIT_VWR_ASSIGN_PER_IP: integer({
    default: 30,
    min: 0,
    max: 1_000_000,
    about: 'Numbers one address (/64 for IPv6) may ask for per minute without a proof of work; 0 is no limit.',
  }),
  LIMIT_STREAMS_PER_VISITOR: integer({
    default: 2,
    min: 0,
    max: 1_000,
    about: 'Live streams one visitor may have open at an event; one more ends the oldest; 0 is no limit.',
  }),
  LIMIT_STREAMS_PER_IP: integer({
    default: 50,
    min: 0,
    max: 1_000_000,
    about: 'Live streams one address (/64 for IPv6) may have open; 0 is no limit.',
  }),
  LIMIT_HOLD_PER_VISITOR: integer({
    default: 6,
    min: 0,
    max: 1_000_000,
    about: 'Attempts to hold seats or tickets that one visitor may make per minute; 0 is no limit.',
  }),
  LIMIT_SIGN_IN_PER_IP: integer({
    default: 30,
    min: 0,
    max: 1_000_000,
    about: 'Attempts to register or sign in from one address (/64 for IPv6) per minute; 0 is no limit.',
  }),
  LIMIT_WRONG_PASSWORD_PER_ACCOUNT: integer({
    default: 5,
    min: 0,
    max: 1_000_000,
    about: 'Wrong passwords for one account per minute, after which it can be signed in to later; 0 is no limit.',
  }),
  LIMIT_PAYMENT_PER_VISITOR: integer({
    default: 5,
    min: 0,
    max: 1_000_000,
    about: 'Attempts to pay that one visitor may make per minute; 0 is no limit.',
  }),
  LIMIT_OPERATOR_SIGN_IN_PER_IP: integer({
    default: 10,
    min: 0,
    max: 1_000_000,
    about: 'Attempts to sign in as an operator that one address (/64 for IPv6) may make per minute; 0 is no limit.',
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
    operatorSignInPerIp: values.LIMIT_OPERATOR_SIGN_IN_PER_IP,
    wrongPasswordPerAccount: values.LIMIT_WRONG_PASSWORD_PER_ACCOUNT,
  };
}
