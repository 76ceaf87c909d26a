/** Runs once before all tests: compiles the program that process tests start, and installs the servers they need. */
import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TestProject } from 'vitest/node';
import { BROWSERS } from '../../scripts/find-chromium.mjs';
import { installClientLanguages } from './client-languages.ts';
import { installIfMissing } from './debian-install.ts';
import { installDynamoDbIfMissing } from './dynamodb-install.ts';
import { installKafkaIfMissing } from './kafka-install.ts';
import { installPostgresIfMissing } from './postgres-install.ts';
import { endSharedServer } from './shared-server.ts';

export default async function beforeAll(project: TestProject): Promise<() => void> {
  // @ts-expect-error: a plain script without types, because it runs before compilation.
  const { setUp } = await import('../../scripts/set-up.mjs');
  setUp();
  installIfMissing(['redis-server'], ['redis-server']);
  installIfMissing(BROWSERS, ['chromium', 'fonts-noto-cjk']);
  installIfMissing(['nginx'], ['nginx-light']);
  installIfMissing(['caddy'], ['caddy']);
  installIfMissing(['haproxy'], ['haproxy']);
  for (const program of ['curl', 'jq', 'openssl', 'zip']) installIfMissing([program], [program]);
  installPostgresIfMissing();
  installKafkaIfMissing();
  installDynamoDbIfMissing();
  installClientLanguages();
  const kafkaFolder = mkdtempSync(join(tmpdir(), 'fairline-kafka-'));
  const postgresFolder = mkdtempSync(join(tmpdir(), 'fairline-postgres-'));
  project.provide('kafkaFolder', kafkaFolder);
  project.provide('postgresFolder', postgresFolder);
  return () => [kafkaFolder, postgresFolder].forEach(endSharedServer);
}
