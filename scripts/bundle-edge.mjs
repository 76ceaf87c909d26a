/**
 * `npm run bundle:edge -- CONFIG.json OUT.mjs`: bundles the Lambda@Edge gate and its configuration into one file, because
 * Lambda@Edge has no environment variables. The file contains secrets: protect it.
 */
import { chmodSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { root, setUp } from './set-up.mjs';

const [configPath, outPath] = process.argv.slice(2);
if (configPath === undefined || outPath === undefined) {
  console.error(
    'Usage: npm run bundle:edge -- CONFIG.json OUT.mjs (docs/guides/gate-cloudfront.md describes CONFIG.json)',
  );
  process.exit(2);
}

setUp();
const entry = join(root, 'dist/lambda/edge-queue-check.js');
const config = JSON.parse(readFileSync(resolve(configPath), 'utf8'));
// A file of public keys is compiled in, too. A URL stays: the function reads it.
if (typeof config.jwks === 'string' && !/^https?:/.test(config.jwks)) {
  config.jwks = toPublicKeys(JSON.parse(readFileSync(resolve(dirname(resolve(configPath)), config.jwks), 'utf8')));
}
const { createEdgeHandler } = await import(entry);
try {
  // Fail on invalid rules now, not at the first request.
  createEdgeHandler(config);
} catch (error) {
  console.error(`${configPath}: ${error.message}`);
  process.exit(1);
}

const { build } = await import('vite');
const virtual = '\0edge-entry';
const source = `import { createEdgeHandler } from ${JSON.stringify(entry)};
export const handler = createEdgeHandler(${JSON.stringify(config)});`;
const bundle = await build({
  root,
  configFile: false,
  logLevel: 'error',
  ssr: { noExternal: true, target: 'webworker' },
  plugins: [
    {
      name: 'edge-entry',
      resolveId: (id) => (id === 'edge-entry' ? virtual : undefined),
      load: (id) => (id === virtual ? source : undefined),
    },
  ],
  build: { ssr: true, write: false, minify: true, target: 'node20', rollupOptions: { input: 'edge-entry' } },
});

/** Without the private members, in case someone names the file of the line. */
function toPublicKeys({ keys }) {
  return {
    keys: keys.map(({ kty, crv, x, y, kid, alg, use }) => ({ kty, crv, x, y, kid, alg, use })),
  };
}

writeFileSync(resolve(outPath), bundle.output[0].code, { mode: 0o600 });
chmodSync(resolve(outPath), 0o600);
console.log(`${outPath}: ${bundle.output[0].code.length} bytes; contains secrets`);
