/**
 * The AWS Lambda function behind the SQS queue of notices. It logs each admission; whoever has more to do with one
 * passes a function. Messages that fail are reported one by one, so that SQS brings only those again, and behind one
 * that failed nothing of the same event is handled, because a FIFO queue promises order.
 */
import { Compile } from 'typebox/compile';
import { Notice } from '../src/notices/notice.ts';

export interface SqsEvent {
  Records: { messageId: string; body: string; attributes?: { MessageGroupId?: string } }[];
}

export interface SqsBatchAnswer {
  batchItemFailures: { itemIdentifier: string }[];
}

export type OnAdmitted = (notice: Notice) => Promise<void>;

const notice = Compile(Notice);

export function createTicketWorker(onAdmitted: OnAdmitted): (event: SqsEvent) => Promise<SqsBatchAnswer> {
  return async ({ Records }) => {
    const failed: string[] = [];
    const heldUp = new Set<string>();
    for (const { messageId, body, attributes } of Records) {
      const group = attributes?.MessageGroupId ?? messageId;
      if (!heldUp.has(group) && (await isHandled(body, messageId))) continue;
      heldUp.add(group);
      failed.push(messageId);
    }
    return { batchItemFailures: failed.map((itemIdentifier) => ({ itemIdentifier })) };
  };

  async function isHandled(body: string, messageId: string): Promise<boolean> {
    try {
      const message: unknown = JSON.parse(body);
      if (!notice.Check(message)) throw new Error('not a notice');
      await onAdmitted(message);
      return true;
    } catch (error) {
      console.error(
        JSON.stringify({ msg: 'a notice could not be handled', messageId, reason: (error as Error).message }),
      );
      return false;
    }
  }
}

/** The entry token is a secret of the visitor's, and not logged. */
export const handler = createTicketWorker(async ({ action, eventId, userId, timestamp }) => {
  console.log(JSON.stringify({ msg: action, eventId, userId, timestamp }));
});
