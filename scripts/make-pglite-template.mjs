/**
 * Writes an empty PGlite database to the given file. Creating one takes several seconds of processor time, unpacking this
 * file about one, so new databases start as a copy of it.
 */
import { writeFileSync } from 'node:fs';
import { PGlite } from '@electric-sql/pglite';

const pglite = await PGlite.create({ dataDir: 'memory://' });
const template = await pglite.dumpDataDir('gzip');
await pglite.close();
writeFileSync(process.argv[2], Buffer.from(await template.arrayBuffer()));
// PGlite keeps a timer running for some seconds.
process.exit(0);
