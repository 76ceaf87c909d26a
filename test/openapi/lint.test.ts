/** Redocly, which generators and portals use, has nothing to say about the OpenAPI document. */
import { spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { tempFolder } from '../support/temp-folder.ts';
import { createTestApp } from '../support/test-app.ts';
import { type Document, readDocument } from './api-document.ts';

const root = join(import.meta.dirname, '../..');

function lint(document: Document): string[] {
  const path = join(tempFolder(), 'openapi.json');
  writeFileSync(path, JSON.stringify(document));
  const args = ['lint', path, '--config', join(import.meta.dirname, 'redocly.yaml'), '--format', 'json'];
  const { stdout, stderr } = spawnSync(join(root, 'node_modules/.bin/redocly'), args, {
    encoding: 'utf8',
    // It would ask for news on the network.
    env: { ...process.env, REDOCLY_TELEMETRY: 'off', REDOCLY_SUPPRESS_UPDATE_NOTICE: 'true' },
    timeout: 60_000,
  });
  if (!stdout.startsWith('{')) throw new Error(`redocly lint failed: ${stdout}${stderr}`);
  const { problems } = JSON.parse(stdout) as { problems: { ruleId: string; message: string }[] };
  return problems.map(({ ruleId, message }) => `${ruleId}: ${message}`);
}

describe('redocly lint', () => {
  it('finds what is missing', async () => {
    const { app } = await createTestApp({ SHOP: 'off' });
    const document = await readDocument(app);
    // An operation without errors and summary, to see that it looks.
    const broken = structuredClone(document);
    const { get } = broken.paths['/health']!;
    broken.paths['/health'] = { get: { ...get!, summary: undefined as never, responses: {} } };
    expect(lint(broken)).not.toEqual([]);
  });

  it('finds nothing in the document of all features', async () => {
    const { app } = await createTestApp();
    expect(lint(await readDocument(app))).toEqual([]);
  });
});
