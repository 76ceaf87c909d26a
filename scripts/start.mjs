/** `npm start`: sets up what is missing, then runs the whole product on embedded stores. */
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { root, setUp } from './set-up.mjs';

setUp();
process.argv[2] ??= 'start';
await import(pathToFileURL(join(root, 'dist/src/main.js')).href);
