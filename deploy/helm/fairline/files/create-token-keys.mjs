// Creates the Secret with the token keys, unless it exists. Runs once, before the installation, in the image of Fairline.
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';

const { API_URL, ACCOUNT, NAMESPACE, SECRET, FILE, FOLDER, PROGRAM, ALGORITHM } = process.env;
const url = `${API_URL}/api/v1/namespaces/${NAMESPACE}/secrets`;
const headers = {
  authorization: `Bearer ${readFileSync(`${ACCOUNT}/token`, 'utf8').trim()}`,
  'content-type': 'application/json',
};

const found = await ask(`${url}/${SECRET}`, 'GET');
if (found.status === 200) console.log(`Secret ${SECRET} exists; nothing to do`);
else if (found.status === 404) await create();
else await fail('read', found);

async function create() {
  const path = `${FOLDER}/${FILE}`;
  const args = [PROGRAM, 'keys', 'create', '--algorithm', ALGORITHM, '--file', path];
  execFileSync(process.execPath, args, { stdio: 'inherit' });
  const made = await ask(url, 'POST', {
    apiVersion: 'v1',
    kind: 'Secret',
    metadata: { name: SECRET, labels: { 'app.kubernetes.io/part-of': 'fairline' } },
    type: 'Opaque',
    data: { [FILE]: readFileSync(path).toString('base64') },
  });
  // 409: another run of this job was faster. Its keys count.
  if (made.status !== 201 && made.status !== 409) await fail('create', made);
  console.log(made.status === 201 ? `Secret ${SECRET} created` : `Secret ${SECRET} exists meanwhile; nothing to do`);
}

function ask(address, method, body) {
  return fetch(address, { method, headers, body: JSON.stringify(body), signal: AbortSignal.timeout(10_000) });
}

async function fail(verb, response) {
  const { message } = await response.json().catch(() => ({}));
  console.error(
    `Cannot ${verb} Secret ${SECRET}: ${response.status} ${message ?? ''}. Create it yourself (fairline keys create) and set tokens.keys.existingSecret.`,
  );
  process.exit(1);
}
