/** What the fields of forms accept; the server decides in the end. */
import { normaliseEmail } from '../../../platform/email.ts';
import { readBookingCode } from '../../../shop/rules/booking-code.ts';
import { PHONE } from '../../../shop/rules/buyer-form.ts';
import { texts } from './words.ts';

const PHONE_FORM = new RegExp(PHONE);
const SHORTEST_PASSWORD = 8;

export const nameRule = (value: string) => (value.trim() === '' ? texts.needName : undefined);
export const emailRule = (value: string) => (normaliseEmail(value) === undefined ? texts.needEmail : undefined);
export const phoneRule = (value: string) => (PHONE_FORM.test(value.trim()) ? undefined : texts.needPhone);
export const passwordRule = (value: string) => (value.length < SHORTEST_PASSWORD ? texts.needPassword : undefined);
export const codeRule = (value: string) => (readBookingCode(value) === undefined ? texts.needCode : undefined);
export const termsRule = (value: string) => (value === '' ? texts.needTerms : undefined);
