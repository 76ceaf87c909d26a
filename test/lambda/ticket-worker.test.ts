import { describe, expect, it } from 'vitest';
import { createTicketWorker } from '../../lambda/ticket-worker.ts';

const message = (messageId: string, group: string, body: unknown) => ({
  messageId,
  body: typeof body === 'string' ? body : JSON.stringify(body),
  attributes: { MessageGroupId: group },
});
const admitted = (eventId: string, userId: string) => ({
  ...{ action: 'admitted', eventId, userId, entryToken: 'token', timestamp: 1_707_948_000_000 },
});

describe('the ticket worker', () => {
  it('handles notices in queue order', async () => {
    const seen: string[] = [];
    const handle = createTicketWorker(async ({ userId }) => {
      seen.push(userId);
    });
    const Records = ['ann', 'bob'].map((user) => message(user, 'concert', admitted('concert', user)));
    expect(await handle({ Records })).toEqual({ batchItemFailures: [] });
    expect(seen).toEqual(['ann', 'bob']);
  });

  it('reports a failed notice and the later ones of the same event, and handles other events', async () => {
    const seen: string[] = [];
    const handle = createTicketWorker(async ({ userId }) => {
      if (userId === 'bob') throw new Error('no such user');
      seen.push(userId);
    });
    const Records = [
      message('1', 'a', admitted('a', 'ann')),
      message('2', 'a', admitted('a', 'bob')),
      message('3', 'a', admitted('a', 'cid')),
      message('4', 'b', admitted('b', 'dan')),
      message('5', 'c', 'not JSON'),
      message('6', 'd', { action: 'sold' }),
    ];
    expect(await handle({ Records })).toEqual({
      batchItemFailures: ['2', '3', '5', '6'].map((itemIdentifier) => ({ itemIdentifier })),
    });
    expect(seen).toEqual(['ann', 'dan']);
  });
});
