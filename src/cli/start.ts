/** `fairline start`. */

import { DEMO_EVENT } from '../compose/demo-room.ts';
import type { Running } from '../compose/start.ts';
import { findMisspeltSettings, readConfig } from '../config/read-config.ts';
import { restrictNewFiles } from '../platform/private-folder.ts';
import { readOptions } from '../platform/settings/options.ts';
import type { Command } from './command.ts';
import { stopOnSignal } from './stop-on-signal.ts';
import { readVersion } from './version.ts';

export const start: Command = {
  summary: 'run the waiting room until SIGTERM or Ctrl-C',
  usage: ['start'],
  about: `Runs the roles in FAIRLINE_ROLES; without Redis, all of them. All settings are environment variables
(docs/reference/configuration.md).`,
  examples: ['fairline start', 'PORT=3001 DATA_DIR=/var/lib/fairline fairline start'],
  async run(args, { print, fail }) {
    readOptions({}, args);
    restrictNewFiles();
    for (const line of findMisspeltSettings()) fail(`fairline: ${line}`);
    const config = readConfig();
    const version = readVersion();
    const { start: startInstance } = await import('../compose/start.ts');
    const running = await startInstance(config, version);
    // Before anything is printed: who reads that the program listens may stop it at once.
    stopOnSignal(running);
    // Print the operator token only if it was generated: a configured one must not end up in logs.
    const isTokenGenerated = config.secrets.adminToken === undefined;
    print(isTokenGenerated ? welcome(running, version) : `Fairline ${version} listens on ${running.url}`);
    if (running.waitingFor.length > 0) fail(waiting(running));
    return undefined;
  },
};

/** One line, whatever is missing. */
function waiting({ url, waitingFor }: Running): string {
  return `fairline: waiting for stores: ${waitingFor.join('; ')}; begins by itself when they are there (${url}/ready)`;
}

function welcome({ url, adminToken }: Running, version: string): string {
  return `
Fairline ${version} listens on ${url}

  pages        ${url}/   ${url}/queue/${DEMO_EVENT}
  health       ${url}/health   ${url}/ready   ${url}/metrics
  API          ${url}/openapi.json
  operator     ${url}/admin, or Authorization: Bearer ${adminToken}

Join the line of the demo event (joining twice keeps the same place), then check your position:

  curl -c jar -b jar -X POST ${url}/api/queue/check/${DEMO_EVENT}
  curl -c jar -b jar ${url}/api/queue/status/${DEMO_EVENT}

Or follow your position live, until you are admitted:

  curl -N -c jar -b jar ${url}/events/${DEMO_EVENT}/tickets/waiting

As the operator, stop admitting visitors, then read the room's state:

  curl -X PUT ${url}/api/admin/rooms/${DEMO_EVENT} -H 'authorization: Bearer ${adminToken}' \\
       -H 'content-type: application/json' -d '{"maxActive": 0}'
  curl ${url}/api/admin/rooms/${DEMO_EVENT} -H 'authorization: Bearer ${adminToken}'

Press Ctrl-C to stop. Places are kept for the next start.
`;
}
