/** `fairline doctor` on the DynamoDB tables of tier 1. */
import { expect, it, onTestFinished } from 'vitest';
import type { Check } from '../../src/doctor/check.ts';
import { describeWithDynamoDb, startDynamoDb } from '../support/dynamodb-server.ts';
import { freePort } from '../support/free-port.ts';
import { runProgram } from '../support/server-process.ts';
import { tempFolder } from '../support/temp-folder.ts';

async function examine(endpoint: string): Promise<Check | undefined> {
  const { output } = await runProgram(['doctor', '--json'], settings(endpoint));
  // On old versions of Node the AWS SDK prints a deprecation warning first.
  const { checks } = JSON.parse(/^\{[\s\S]*^\}/m.exec(output)![0]) as { checks: Check[] };
  return checks.find(({ what }) => what === 'DynamoDB');
}

const settings = (endpoint: string) => ({
  DATA_DIR: tempFolder(),
  SHOP: 'off',
  VWR_STORE: 'dynamodb',
  VWR_DYNAMODB_ENDPOINT: endpoint,
  AWS_REGION: 'us-east-1',
});

describeWithDynamoDb('the doctor on DynamoDB', () => {
  it('reports missing tables and the command that creates them, and then finds them', async () => {
    const { endpoint, stop } = await startDynamoDb();
    onTestFinished(stop);
    const missing = await examine(endpoint);
    expect(missing).toMatchObject({ state: 'problem', advice: expect.stringContaining('fairline migrate') });
    expect(missing?.found).toMatch(/fairline-vwr-counters.*fairline-vwr-positions/);
    const migrated = await runProgram(['migrate'], settings(endpoint));
    expect([migrated.code, migrated.code === 0 ? '' : migrated.output]).toEqual([0, '']);
    expect(await examine(endpoint)).toMatchObject({ state: 'ok' });
  });

  it('names the settings to check if DynamoDB is unreachable', async () => {
    const check = await examine(`http://127.0.0.1:${await freePort()}`);
    expect(check).toMatchObject({ state: 'problem', advice: expect.stringContaining('VWR_DYNAMODB_ENDPOINT') });
  });
});
