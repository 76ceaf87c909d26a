import { expect, it, onTestFinished } from 'vitest';
import { describeWithDynamoDb, startDynamoDb } from '../support/dynamodb-server.ts';
import { runProgram } from '../support/server-process.ts';

describeWithDynamoDb('fairline migrate', () => {
  it('creates the tables of tier 1 if they are configured and missing', async () => {
    const server = await startDynamoDb();
    onTestFinished(() => server.stop());
    const env = { VWR_STORE: 'dynamodb', VWR_DYNAMODB_ENDPOINT: server.endpoint, VWR_DYNAMODB_PREFIX: 'sale' };
    const first = await runProgram(['migrate'], env);
    expect(first).toMatchObject({
      code: 0,
      output: expect.stringContaining('sale-vwr-counters and sale-vwr-positions'),
    });
    expect((await runProgram(['migrate'], env)).output).toContain('The tables of tier 1 already exist.');
    expect((await runProgram(['migrate'])).output).toContain('Nothing to do');
  });
});
