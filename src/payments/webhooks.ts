/**
 * Webhook messages of the payment provider. The signature covers the body and the time, so a message can be neither forged nor
 * replayed later; the id makes it count once.
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
  /** The message if the signature is valid and recent; otherwise undefined. */
  read(body: string, signature: string, nowSeconds: number): PaymentMessage | undefined;
}

export function createWebhookSignatures(secret: string): WebhookSignatures {
  const mac = createMac(secret, LONGEST_TIME + 1 + LONGEST_BODY * 3);
  // The MAC works on latin1 text; the body can contain any character, so its UTF-8 bytes are signed.
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
