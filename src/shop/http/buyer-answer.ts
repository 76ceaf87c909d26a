/** What a buyer says about themselves: the body and the answer of the API. */
import { type Static, Type } from 'typebox';
import { LONGEST_EMAIL, LONGEST_NAME, LONGEST_PHONE, PHONE } from '../rules/buyer-form.ts';

export const BuyerBody = Type.Object(
  {
    name: Type.String({
      pattern: '^[^\\u0000-\\u001f\\u007f]*[^\\s\\u0000-\\u001f\\u007f][^\\u0000-\\u001f\\u007f]*$',
      maxLength: LONGEST_NAME,
      description: 'as on the buyer’s ID',
    }),
    email: Type.String({ maxLength: LONGEST_EMAIL, description: 'finds the ticket again, with the booking code' }),
    phone: Type.String({ pattern: PHONE, maxLength: LONGEST_PHONE, description: '7 to 20 digits, spaces, ( ) and -' }),
  },
  { additionalProperties: false },
);

export const BuyerAnswer = Type.Object(
  { name: Type.String(), email: Type.String(), phone: Type.String() },
  { title: 'Buyer' },
);
export type BuyerAnswer = Static<typeof BuyerAnswer>;
