/** An in-memory DynamoDB-compatible server for tests. */
import { spawn } from 'node:child_process';
import { connect } from 'node:net';
import { describe, it } from 'vitest';
import { findDynamoDb } from './dynamodb-install.ts';
import { freePort } from './free-port.ts';
import { until } from './until.ts';

export interface DynamoDbServer {
  readonly endpoint: string;
  stop(): Promise<void>;
}

const HOW_TO_ENABLE = 'needs dynoxide, which the tests install on Linux with an x64 processor';
const program = findDynamoDb();

/** A suite that needs DynamoDB. Without a server it is skipped with a reason; in CI it fails. */
export function describeWithDynamoDb(name: string, suite: () => void): void {
  if (program !== undefined) describe(name, suite);
  else if (process.env.CI === 'true') describe(name, failWithoutServer);
  else describe.skip(`${name}: ${HOW_TO_ENABLE}`, suite);
}

/** On a free port, or on this one. */
export async function startDynamoDb(fixedPort?: number): Promise<DynamoDbServer> {
  const port = fixedPort ?? (await freePort());
  const child = spawn(program!, ['serve', '--port', `${port}`], { stdio: 'ignore' });
  const exited = new Promise((resolve) => child.once('exit', resolve));
  // An interrupted run does not reach its cleanup.
  process.once('exit', () => child.kill('SIGKILL'));
  await until(`DynamoDB on port ${port}`, () => accepts(port));
  return {
    endpoint: `http://127.0.0.1:${port}`,
    async stop() {
      child.kill('SIGKILL');
      await exited;
    },
  };
}

function failWithoutServer(): void {
  it('has a DynamoDB server to run on', () => {
    throw new Error(HOW_TO_ENABLE);
  });
}

function accepts(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1');
    socket.once('connect', () => resolve(true)).once('error', () => resolve(false));
    socket.once('connect', () => socket.destroy());
  });
}
