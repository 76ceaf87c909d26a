/**
 * Writes clients/vectors.json. Run it after a change of the cases: `node clients/conformance/make-vectors.mjs`. A test
 * checks that the file is what this program writes.
 */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { badClaimCases } from './bad-claim-cases.mjs';
import { badFormCases } from './bad-form-cases.mjs';
import { goodCases } from './good-cases.mjs';
import { AUDIENCE, ISSUER, jwks, secrets } from './world.mjs';

const FILE = join(import.meta.dirname, '../vectors.json');

/** The text of the file. */
export function makeVectors() {
  const vectors = [...goodCases(), ...badFormCases(), ...badClaimCases()];
  const names = vectors.map(({ name }) => name);
  const twice = names.find((name, index) => names.indexOf(name) !== index);
  if (twice !== undefined) throw new Error(`two vectors are named "${twice}"`);
  const about =
    'Requests and what a verifier of Fairline tokens must answer. clients/README.md explains the fields. The keys are public: use them for tests only.';
  return `${JSON.stringify({ about, issuer: ISSUER, audience: AUDIENCE, secrets, jwks, vectors }, null, 2)}\n`;
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  writeFileSync(FILE, makeVectors());
  const { vectors } = JSON.parse(makeVectors());
  const good = vectors.filter(({ expect }) => expect.outcome === 'good').length;
  console.log(`clients/vectors.json: ${good} good, ${vectors.length - good} bad`);
}
