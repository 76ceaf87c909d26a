/**
 * An AWS Lambda function that consumes notices from SQS. It logs each admission; pass your own function to do more. Failed
 * messages are reported individually, so SQS redelivers only those. After a failure the later messages of the same event
 * fail too, because a FIFO queue guarantees order.
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
    const blockedGroups = new Set<string>();
    for (const { messageId, body, attributes } of Records) {
      const group = attributes?.MessageGroupId ?? messageId;
      if (!blockedGroups.has(group) && (await isHandled(body, messageId))) continue;
      blockedGroups.add(group);
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
      console.error(JSON.stringify({ msg: 'notice failed', messageId, reason: (error as Error).message }));
      return false;
    }
  }
}

/** Does not log the entry token, which is a secret. */
export const handler = createTicketWorker(async ({ action, eventId, userId, timestamp }) => {
  console.log(JSON.stringify({ msg: action, eventId, userId, timestamp }));
});
