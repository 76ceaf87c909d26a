/**
 * `npm run soak [-- options]`: the built program as processes on real stores, a crowd, faults by seed, and an oracle that judges what
 * happened (docs/explanation/soak.md). `npm run soak -- --help` lists the options.
 */
import { join } from 'node:path';
import { root, setUp } from './set-up.mjs';

setUp();
// Processes and stores of the run end with this process.
for (const signal of ['SIGINT', 'SIGTERM']) process.once(signal, () => process.exit(130));
// After the set-up, which may install it. It compiles the TypeScript of test/soak in memory.
const { runnerImport } = await import('vite');
const { module } = await runnerImport(join(root, 'test/soak/main.ts'), { root, configFile: false, logLevel: 'error' });
process.exit(await module.main(process.argv.slice(2)));
