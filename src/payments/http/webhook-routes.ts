/** Where the payment provider calls back. The signature is over the bytes of the body, so it is taken as it came. */
import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import { Type } from 'typebox';
import { AppError } from '../../http/errors.ts';
import type { ReceiveMessage } from '../receive-message.ts';
import { SIGNATURE_HEADER } from '../webhooks.ts';

export const webhookRoutes: FastifyPluginAsyncTypebox<{ receive: ReceiveMessage }> = async (app, { receive }) => {
  app.removeContentTypeParser('application/json');
  app.addContentTypeParser('application/json', { parseAs: 'string' }, (_request, body, done) => done(null, body));

  app.post(
    '/payments/webhook',
    {
      schema: {
        tags: ['payments'],
        summary: `What the payment provider has to say, signed in ${SIGNATURE_HEADER}`,
        response: { 200: Type.Object({ received: Type.Boolean() }) },
      },
    },
    async (request) => {
      const signature = request.headers[SIGNATURE_HEADER];
      if (typeof request.body !== 'string' || typeof signature !== 'string') throw new AppError('WEBHOOK_REFUSED');
      const outcome = await receive(request.body, signature);
      if (outcome === 'forged') throw new AppError('WEBHOOK_REFUSED');
      if (outcome === 'unknown-order') throw new AppError('PAYMENT_NOT_FOUND');
      if (outcome === 'wrong-amount') throw new AppError('PAYMENT_MISMATCH');
      return { received: true };
    },
  );
};
