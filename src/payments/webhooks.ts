/**
 * What the payment provider calls back with: signed, so that nobody else can; with the time in what is signed, so that
 * it cannot be kept and sent again later; with an id, so that it counts once.
 */
import { type Static, Type } from 'typebox';
import { Value } from 'typebox/value';
import { createMac, isSameMac } from '../platform/crypto/hmac.ts';

export const SIGNATURE_HEADER = 'x-payment-signature';

const WINDOW_SECONDS = 300;
const LONGEST_BODY = 4_096;
const LONGEST_TIME = 12;

export const PaymentMessage = Type.Object({
  id: Type.String({ minLength: 1, maxLength: 128 }),
  type: Type.Union([
    Type.Literal('payment.captured'),
    Type.Literal('payment.declined'),
    Type.Literal('payment.refunded'),
  ]),
  orderId: Type.String({ minLength: 1, maxLength: 64 }),
  amount: Type.Integer(),
  currency: Type.String(),
});
export type PaymentMessage = Static<typeof PaymentMessage>;

export interface WebhookSignatures {
  sign(body: string, nowSeconds: number): string;
  /** The message if the signature is genuine and of now; undefined for anything else. */
  read(body: string, signature: string, nowSeconds: number): PaymentMessage | undefined;
}

export function createWebhookSignatures(secret: string): WebhookSignatures {
  const mac = createMac(secret, LONGEST_TIME + 1 + LONGEST_BODY * 3);
  // The body may hold any text; its bytes are what is signed.
  const signed = (time: string, body: string) => mac(`${time}.${Buffer.from(body).toString('latin1')}`);
  return {
    sign: (body, nowSeconds) => `t=${nowSeconds},v1=${signed(String(nowSeconds), body)}`,
    read(body, signature, nowSeconds) {
      const [, time, given] = /^t=(\d{1,12}),v1=([A-Za-z0-9_-]{43})$/.exec(signature) ?? [];
      if (time === undefined || given === undefined || body.length > LONGEST_BODY) return undefined;
      if (Math.abs(nowSeconds - Number(time)) > WINDOW_SECONDS) return undefined;
      return isSameMac(given, signed(time, body)) ? toMessage(body) : undefined;
    },
  };
}

function toMessage(body: string): PaymentMessage | undefined {
  try {
    const message = JSON.parse(body) as unknown;
    return Value.Check(PaymentMessage, message) ? message : undefined;
  } catch {
    return undefined;
  }
}
