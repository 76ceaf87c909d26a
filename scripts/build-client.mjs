/** Writes dist/openapi.json and dist/client, the package's `fairline/client`. The program must be compiled before. */
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describeApi } from './api-page.mjs';
import { operationsOf, toDeclarations, toRoutes } from './client-types.mjs';
import { root } from './set-up.mjs';

const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
const description = await describeApi(version);
const operations = operationsOf(description);

const entry = `import { createTypedClient } from '../src/client/create-client.js';
import { routes } from './operations.js';

export { FairlineError } from '../src/client/fairline-error.js';

export function createClient(options) {
  return createTypedClient(routes, options);
}
`;
const entryTypes = `import type { LineClient } from '../src/client/create-client.js';
import type { ClientOptions } from '../src/client/transport.js';
import type { Operations, PollResponse } from './operations.js';

export type { CallOptions } from '../src/client/create-client.js';
export { FairlineError, type FieldError } from '../src/client/fairline-error.js';
export type { PollOptions } from '../src/client/poll.js';
export type { StreamOptions } from '../src/client/stream.js';
export type * from '../src/client/stream-events.js';
export type * from './operations.js';
export type { ClientOptions };

/** A client of one visitor or operator. */
export type Client = Operations & LineClient<PollResponse>;

export declare function createClient(options?: ClientOptions): Client;
`;

const folder = join(root, 'dist/client');
rmSync(folder, { recursive: true, force: true });
mkdirSync(folder, { recursive: true });
writeFileSync(join(folder, 'operations.js'), `export const routes = ${JSON.stringify(toRoutes(operations))};\n`);
writeFileSync(join(folder, 'operations.d.ts'), toDeclarations(operations, description));
writeFileSync(join(folder, 'client.js'), entry);
writeFileSync(join(folder, 'client.d.ts'), entryTypes);
writeFileSync(join(root, 'dist/openapi.json'), JSON.stringify(description));
