/** `fairline start`. */

import { DEMO_EVENT } from '../compose/demo-room.ts';
import type { Running } from '../compose/start.ts';
import { readConfig } from '../config/read-config.ts';
import { readOptions } from '../platform/settings/options.ts';
import type { Command } from './command.ts';
import { stopOnSignal } from './stop-on-signal.ts';
import { readVersion } from './version.ts';

export const start: Command = {
  summary: 'run the waiting room until it is told to stop (SIGTERM, Ctrl-C)',
  usage: ['start'],
  about: `Runs the roles of FAIRLINE_ROLES, all of them unless the lines are in Redis. Everything is set by
environment variables (docs/reference/configuration.md).`,
  examples: ['fairline start', 'PORT=3001 DATA_DIR=/var/lib/fairline fairline start'],
  async run(args, { print }) {
    readOptions({}, args);
    const config = readConfig();
    const version = readVersion();
    const { start: startInstance } = await import('../compose/start.ts');
    const running = await startInstance(config, version);
    // A token that somebody configured is theirs to know; only one that was made up here has to be told.
    const isTrial = config.secrets.adminToken === undefined;
    print(isTrial ? welcome(running, version) : `Fairline ${version} listens on ${running.url}`);
    stopOnSignal(running);
    return undefined;
  },
};

function welcome({ url, adminToken }: Running, version: string): string {
  return `
Fairline ${version} listens on ${url}

  pages        ${url}/   ${url}/queue/${DEMO_EVENT}
  health       ${url}/health   ${url}/ready   ${url}/metrics
  API          ${url}/openapi.json
  operator     ${url}/admin, or Authorization: Bearer ${adminToken}

Try it. Join the line of the demo event, twice, and see the same place; then ask where you stand:

  curl -c jar -b jar -X POST ${url}/api/queue/check/${DEMO_EVENT}
  curl -c jar -b jar ${url}/api/queue/status/${DEMO_EVENT}

Or open the stream that tells it live, and says so when it is your turn:

  curl -N -c jar -b jar ${url}/events/${DEMO_EVENT}/tickets/waiting

As the operator, let in nobody more, then look at the room:

  curl -X PUT ${url}/api/admin/rooms/${DEMO_EVENT} -H 'authorization: Bearer ${adminToken}' \\
       -H 'content-type: application/json' -d '{"maxActive": 0}'
  curl ${url}/api/admin/rooms/${DEMO_EVENT} -H 'authorization: Bearer ${adminToken}'

Stop with Ctrl-C; every place is kept for the next start.
`;
}
