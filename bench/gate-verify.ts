/**
 * What a check at `/gate/verify` costs: compared with a constant response of the same server, and as nginx with
 * auth_request compared with nginx alone.
 */
import { measureInTurns, type Round, summaryOf } from './gate-proxies.ts';
import { isInstalled, startNginx } from './gate-rivals.ts';
import { benchSecrets, median, putRoom, startFairline, startProgram } from './processes.ts';
import { type BenchRow, round2 } from './report.ts';

const CONNECTIONS = 50;
/** Of the requests in gate.ts. */
const EVENT = 'concert';

/** `requests`: of visitors to the site, as text. */
export async function measureVerify(requests: string[]): Promise<BenchRow[]> {
  const fairline = await startFairline();
  await switchTier1On(fairline.port, EVENT);
  const floor = await startProgram('floor.js', [], {});
  const checks = requests.map(toCheck);
  const direct = await measureInTurns({ floor, ours: fairline }, { connections: CONNECTIONS, requests: checks });
  const rows = [toRow('/gate/verify, compared with a constant response', direct.ours!, direct.floor!)];
  if (isInstalled('nginx')) {
    const site = await startProgram('gate-upstream.js', [], {});
    const plain = await startNginx({ site: site.port });
    const checking = await startNginx({ site: site.port, gate: fairline.port });
    // What nginx would reach with a check that decides nothing.
    const constant = await startNginx({ site: site.port, gate: floor.port });
    const rounds = await measureInTurns({ plain, checking, constant }, { connections: CONNECTIONS, requests });
    rows.push(toRow('nginx with auth_request, compared with nginx alone', rounds.checking!, rounds.plain!));
    rows.push(toRow('the same with a constant response to each check', rounds.constant!, rounds.plain!));
    for (const started of [constant, checking, plain, site]) await started.stop();
  }
  await fairline.stop();
  await floor.stop();
  return rows;
}

/** Otherwise a check needs only two of the four tokens. */
async function switchTier1On(port: number, eventId: string): Promise<void> {
  await putRoom(port, eventId, { state: 'open' });
  const answer = await fetch(`http://127.0.0.1:${port}/api/admin/vwr/activate/${eventId}`, {
    method: 'POST',
    headers: { authorization: `Bearer ${benchSecrets.ADMIN_TOKEN}` },
  });
  if (!answer.ok) throw new Error(await answer.text());
}

function toCheck(request: string): string {
  const [line = ''] = request.split('\r\n', 1);
  const [method = '', target = ''] = line.split(' ');
  const described = `GET /gate/verify HTTP/1.1\r\nx-original-uri: ${target}\r\nx-original-method: ${method}`;
  return described + request.slice(line.length);
}

function toRow(what: string, ours: Round[], floor: Round[]): BenchRow {
  const { perSecond, more } = summaryOf(ours);
  const same = summaryOf(floor);
  return {
    what,
    unit: '/s',
    ours: perSecond,
    floor: same.perSecond,
    toFloor: round2(median(ours.map((round, i) => round.perSecond / floor[i]!.perSecond))),
    more: {
      ...more,
      'floor cpu us': same.more['cpu us']!,
      'cpu to floor': round2(median(ours.map((round, i) => round.cpuMicrosPerRequest / floor[i]!.cpuMicrosPerRequest))),
    },
  };
}
