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

/** `secrets`: the one to sign with, then older ones whose messages are still accepted. */
export function createWebhookSignatures(secrets: readonly [string, ...string[]]): WebhookSignatures {
  const macs = secrets.map((secret) => createMac(secret, LONGEST_TIME + 1 + LONGEST_BODY * 3));
  // The MAC works on latin1 text; the body can contain any character, so its UTF-8 bytes are signed.
  const toSigned = (time: string, body: string) => `${time}.${Buffer.from(body).toString('latin1')}`;
  return {
    sign: (body, nowSeconds) => `t=${nowSeconds},v1=${macs[0]!(toSigned(String(nowSeconds), body))}`,
    read(body, signature, nowSeconds) {
      const [, time, given] = /^t=(\d{1,12}),v1=([A-Za-z0-9_-]{43})$/.exec(signature) ?? [];
      if (time === undefined || given === undefined || body.length > LONGEST_BODY) return undefined;
      if (Math.abs(nowSeconds - Number(time)) > WINDOW_SECONDS) return undefined;
      const signed = toSigned(time, body);
      return macs.some((mac) => isSameMac(given, mac(signed))) ? toMessage(body) : undefined;
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
