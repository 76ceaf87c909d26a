/** What `fairline start` and `fairline doctor` say about settings that cannot be right. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { runProgram, startServer } from '../support/server-process.ts';
import { tempFolder } from '../support/temp-folder.ts';

describe('a misspelt setting', () => {
  const line = 'QUEUE_MAX_ACTIVE is no setting; did you mean QUEUE_THRESHOLD?';

  it('is named once at the start, which goes on', async () => {
    const server = await startServer({ DATA_DIR: tempFolder(), QUEUE_MAX_ACTIVE: '5', QUEUE_CONNECTION: 'sync' });
    expect(server.output().split(line)).toHaveLength(2);
    expect(server.output()).not.toContain('QUEUE_CONNECTION');
    expect(await server.kill('SIGTERM')).toBe(0);
  });

  it('is a warning of the doctor', async () => {
    const { output } = await runProgram(['doctor'], { DATA_DIR: tempFolder(), QUEUE_MAX_ACTIVE: '5' });
    expect(output).toContain(`warning  settings: ${line}`);
  });
});

describe('a DATA_DIR that is a file', () => {
  it('fails the start with one line, and is a problem for the doctor', async () => {
    const path = join(tempFolder(), 'data');
    writeFileSync(path, '');
    const { code, output } = await runProgram(['start'], { DATA_DIR: path, PORT: '0', SHOP: 'off' });
    expect(code).toBe(1);
    expect(output).toBe(`fairline: DATA_DIR=${path}: not a directory; set DATA_DIR to a directory on a disk\n`);
    const doctor = await runProgram(['doctor'], { DATA_DIR: path });
    expect(doctor.code).toBe(1);
    expect(doctor.output).toContain(`PROBLEM  DATA_DIR ${path}: not a directory`);
  });
});
