/** `npm run fuzz [N]`: the long form of test/openapi/schemathesis: N random requests per operation (100), and sequences. */
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { root, setUp } from './set-up.mjs';

setUp();
const [examples = '100'] = process.argv.slice(2);
const args = ['run', 'test/openapi/schemathesis/schemathesis.test.ts'];
const { status } = spawnSync(join(root, 'node_modules/.bin/vitest'), args, {
  cwd: root,
  stdio: 'inherit',
  env: { ...process.env, FUZZ_EXAMPLES: examples },
});
process.exitCode = status ?? 1;
