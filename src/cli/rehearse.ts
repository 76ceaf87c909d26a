/** `fairline rehearse`. */
import { randomBytes } from 'node:crypto';
import { readConfig } from '../config/read-config.ts';
import type { RoomSettings } from '../line/model/room-settings.ts';
import { OptionsError, readOptions } from '../platform/settings/options.ts';
import { Client, type ClientOptions } from '../rehearse/client.ts';
import type { FindingsRecord, TimeKind, Times } from '../rehearse/findings.ts';
import { createRoomWatch } from '../rehearse/room-watch.ts';
import { findTarget, type Target } from '../rehearse/target.ts';
import type { RehearsalTask } from '../rehearse/task.ts';
import { judge } from '../rehearse/verdict.ts';
import { runOnWorkers } from '../rehearse/workers.ts';
import { formatClock } from '../report/format.ts';
import { type RehearsalPage, renderRehearsalPage } from '../report/rehearsal-page.ts';
import { type Language, words } from '../report/words.ts';
import { makeCrowd } from '../simulate/crowd.ts';
import { type SaleMoment, simulateSale, type VisitorPlan } from '../simulate/sale.ts';
import { type SaleSummary, summarize } from '../simulate/summary.ts';
import type { Command, Terminal } from './command.ts';
import { toJson, toText } from './rehearsal-text.ts';
import { findSecrets, options, type RehearsalValues, rehearsalOptions } from './rehearse-options.ts';
import { createProgress, languageOf, writeReport } from './report-options.ts';
import { describeValues, toCrowdPlan } from './sale-options.ts';
import { readVersion } from './version.ts';

const MINUTE_MS = 60_000;
const TICK_MS = 1_000;

export const rehearse: Command = {
  summary: 'load-test a running deployment with simulated visitors',
  usage: ['rehearse <url> [<url> …] [options]'],
  about: `Simulated visitors join, wait by polling or on a stream, stay inside for a while and leave, as browsers do.
Reports errors, admissions out of order, lost places, more visitors inside than the limit, and response
times. Several URLs of one deployment are used in turn. Hosts outside this machine and private networks
are refused unless named with --i-own.

Exit code: 0 all goals met, 1 a goal missed, 2 could not run.`,
  options,
  examples: [
    'fairline rehearse http://127.0.0.1:3000 --secret-file data/secrets.json --operator-token-file data/secrets.json --limit 200',
    'fairline rehearse https://staging.example.org --i-own staging.example.org --event spring-tour --visitors 5000',
    'fairline rehearse http://10.0.0.4:3000 http://10.0.0.5:3000 --visitors 10000 --limit 500 --report rehearsal.html',
  ],
  async run(args, terminal) {
    const { values, given, words: urls } = readOptions(options, args, { atMost: 16 });
    const language = languageOf(values);
    const client = {
      targets: await findTargets(urls, values['i-own']),
      retries: values.retries,
      connections: values.connections,
    };
    const secrets = findSecrets(values);
    const settings = await prepareRoom(client, secrets.operatorToken, values);
    const endsAfterMs = values.minutes * MINUTE_MS;
    const crowd = makeCrowd(toCrowdPlan(values, { lastsMs: endsAfterMs, buyShare: values.buying }));
    const task: RehearsalTask = {
      client,
      eventId: values.event!,
      crowd,
      nth: 0,
      of: 1,
      credentials: {
        run: randomBytes(4).toString('hex'),
        authSecret: secrets.auth,
        isForwarded: values.forwarded,
        lastsMs: endsAfterMs,
      },
      operatorToken: secrets.operatorToken,
      streams: values.streams,
      seatsPerBuyer: values.buy,
      endsAfterMs,
    };
    const findings = await playThrough(task, { values, terminal, language });
    const rehearsed = summarizeFindings(findings);
    const predicted = predict(crowd, settings, rehearsed.endedAtMs);
    const verdict = judge(
      findings,
      {
        errors: values['goal-errors'],
        delayP50Ms: values['goal-p50'],
        delayP99Ms: values['goal-p99'],
        prediction: values['goal-prediction'],
      },
      { measured: rehearsed.wait?.p50, predicted: predicted?.wait?.p50 },
    );
    const { predicted: asPredicted, rehearsed: asRehearsed } = words[language];
    const page: RehearsalPage = {
      language,
      version: readVersion(),
      seed: String(values.seed),
      where: `${urls.join(', ')}, ${values.event}`,
      verdict,
      sales: [
        ...(predicted === undefined ? [] : [{ name: asPredicted, summary: predicted }]),
        { name: asRehearsed, summary: rehearsed },
      ],
      requests: findings.requests,
      retries: findings.retries,
      times: toPercentiles(findings.times),
      seatsBought: values.buy === 0 ? undefined : findings.stories.reduce((sum, { seats }) => sum + seats, 0),
      problems: findings.problems,
      settings: describeValues(rehearsalOptions, given),
    };
    if (values.report !== undefined) writeReport(values.report, renderRehearsalPage(page));
    terminal.print(values.json ? toJson(page) : toText(page));
    return verdict.isPassed ? 0 : 1;
  },
};

async function findTargets(urls: readonly string[], owned: string | undefined): Promise<[Target, ...Target[]]> {
  const results = await Promise.all(urls.map((url) => findTarget(url, owned)));
  const problems = results.flatMap((result) => (result.ok ? [] : [result.problem]));
  if (problems.length > 0) throw new OptionsError(problems.join('\n'));
  const [first, ...others] = results.flatMap((result) => (result.ok ? [result.target] : []));
  if (first === undefined) throw new OptionsError('missing URL of a running deployment, such as http://127.0.0.1:3000');
  return [first, ...others];
}

async function prepareRoom(
  options: ClientOptions,
  operatorToken: string | undefined,
  { limit, rate, event }: RehearsalValues,
): Promise<RoomSettings | undefined> {
  const change = {
    ...(limit === undefined ? {} : { maxActive: limit }),
    ...(rate === undefined ? {} : { admitPerSecond: rate }),
  };
  if (operatorToken === undefined) {
    if (Object.keys(change).length === 0) return undefined;
    throw new OptionsError('--limit and --rate require an operator token: set --operator-token-file or ADMIN_TOKEN');
  }
  const client = new Client(options);
  const prepared = await createRoomWatch(client, event!, operatorToken).prepare(change);
  client.close();
  if (!prepared.ok) throw new OptionsError(prepared.problem);
  if (prepared.settings.order === 'draw') {
    throw new OptionsError('the room has order=draw; a rehearsal checks the order of arrival and needs order=fifo');
  }
  return prepared.settings;
}

interface Show {
  values: RehearsalValues;
  terminal: Terminal;
  language: Language;
}

async function playThrough(task: RehearsalTask, { values, terminal, language }: Show): Promise<FindingsRecord> {
  const progress = createProgress(terminal, values.progress);
  const stopping = new AbortController();
  const stop = () => stopping.abort();
  process.once('SIGINT', stop);
  const startedAt = performance.now();
  try {
    return await runOnWorkers(task, values.workers, {
      signal: stopping.signal,
      onProgress: ({ finished, errors, room }) => {
        const clock = formatClock(performance.now() - startedAt);
        const standing = `${words[language].waiting} ${room?.waiting ?? 0}, ${words[language].inside} ${room?.inside ?? 0}/${room?.limit ?? 0}`;
        progress.show(finished / task.crowd.length, `${clock} ${standing}, ${errors} !`);
      },
    });
  } finally {
    progress.end();
    process.off('SIGINT', stop);
  }
}

function toPercentiles(times: Times): RehearsalPage['times'] {
  const of = (kind: TimeKind) => {
    const histogram = times[kind];
    return { count: histogram.size, p50: histogram.percentile(0.5), p99: histogram.percentile(0.99) };
  };
  return { request: of('request'), join: of('join'), poll: of('poll'), news: of('news') };
}

function summarizeFindings({ stories, samples }: FindingsRecord): SaleSummary {
  const visits = stories.map(({ joinSentAt, insideAt, fate, seats }) => ({
    joinedAtMs: joinSentAt ?? 0,
    admittedAtMs: insideAt,
    insideAtMs: insideAt,
    fate: joinSentAt === undefined ? ('absent' as const) : fate,
    seats,
    shown: [],
  }));
  const moments = samples.map((sample) => ({ ...sample, seatsLeft: undefined }));
  return summarize({ visits, moments, seatsTotal: undefined });
}

/** Simulates the same visitors in the same room; undefined if the room's settings are unknown. */
function predict(
  crowd: readonly VisitorPlan[],
  settings: RoomSettings | undefined,
  endsAtMs: number,
): SaleSummary | undefined {
  if (settings === undefined) return undefined;
  const moments: SaleMoment[] = [];
  const plan = {
    settings: { ...readConfig({}).line.roomDefaults, ...settings },
    tickMs: TICK_MS,
    visitors: crowd,
    changes: [],
  };
  const visits = simulateSale(
    { ...plan, sampleEvery: Number.MAX_SAFE_INTEGER, endsAtMs: Math.max(endsAtMs * 2, MINUTE_MS) },
    (moment) => moments.push(moment),
  );
  return summarize({ visits, moments, seatsTotal: undefined });
}
