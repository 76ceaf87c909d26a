/** An in-process SQS-compatible server for tests. */
import { CreateQueueCommand, DeleteMessageCommand, ReceiveMessageCommand, SQSClient } from '@aws-sdk/client-sqs';
import { buildApp } from 'fauxqs';

export interface SqsServer {
  endpoint: string;
  /** Creates a FIFO queue and returns its URL. */
  createQueue(name: string): Promise<string>;
  /** Receives and deletes all messages in the queue. */
  takeAll(queueUrl: string): Promise<{ body: Record<string, unknown>; group: string; dedupe: string }[]>;
  stop(): Promise<void>;
}

export async function startSqs(): Promise<SqsServer> {
  const app = buildApp({ logger: false });
  const endpoint = await app.listen({ port: 0, host: '127.0.0.1' });
  const client = new SQSClient({
    endpoint,
    region: 'local',
    credentials: { accessKeyId: '-', secretAccessKey: '-' },
  });
  return {
    endpoint,
    async createQueue(name) {
      const Attributes = { FifoQueue: 'true' };
      const { QueueUrl } = await client.send(new CreateQueueCommand({ QueueName: `${name}.fifo`, Attributes }));
      return QueueUrl!;
    },
    async takeAll(QueueUrl) {
      const taken = [];
      for (;;) {
        const { Messages = [] } = await client.send(
          new ReceiveMessageCommand({ QueueUrl, MaxNumberOfMessages: 10, MessageSystemAttributeNames: ['All'] }),
        );
        if (Messages.length === 0) return taken;
        for (const { Body, Attributes, ReceiptHandle } of Messages) {
          const { MessageGroupId: group = '', MessageDeduplicationId: dedupe = '' } = Attributes ?? {};
          taken.push({ body: JSON.parse(Body!), group, dedupe });
          await client.send(new DeleteMessageCommand({ QueueUrl, ReceiptHandle }));
        }
      }
    },
    async stop() {
      client.destroy();
      await app.close();
    },
  };
}
