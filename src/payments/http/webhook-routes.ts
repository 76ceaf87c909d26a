/** The webhook endpoint of the payment provider. The signature covers the raw body, so the body is not parsed first. */
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
      // The signature proves the sender.
      config: { crossSite: 'allowed' },
      schema: {
        tags: ['payments'],
        operationId: 'receivePaymentWebhook',
        security: [{ paymentProvider: [] }],
        errors: ['WEBHOOK_REFUSED', 'PAYMENT_NOT_FOUND', 'PAYMENT_MISMATCH'],
        summary: `Webhook of the payment provider, signed in ${SIGNATURE_HEADER}`,
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
