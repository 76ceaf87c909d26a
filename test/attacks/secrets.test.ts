/** Nothing that people or log collectors read contains a password, a secret or a token. */
import { Writable } from 'node:stream';
import { describe, expect, it } from 'vitest';
import { explainError } from '../../src/cli/explain-error.ts';
import { readConfig, readGateConfig, settings } from '../../src/config/read-config.ts';
import { createLog } from '../../src/platform/log.ts';
import { option, readOptions } from '../../src/platform/settings/options.ts';
import { text } from '../../src/platform/settings/settings.ts';
import { describeWithRedis, startRedis } from '../support/redis-server.ts';
import { runProgram, startServer } from '../support/server-process.ts';
import { tempFolder } from '../support/temp-folder.ts';
import { secrets } from '../support/test-app.ts';
import { startTraceCollector } from '../support/trace-collector.ts';
import { until } from '../support/until.ts';

/** Shorter than any secret must be, so that it is refused as one. */
const MARKER = 'pa55-m4rker';

/** Wrong values with a password where passwords stand. */
const wrong = [
  MARKER,
  `redis://user:${MARKER}@host:6379`,
  `rediss://:${MARKER}@host`,
  `postgres://user:${MARKER}@host:5432/database`,
  `postgres://user:${MARKER}#1@host:port/database`,
  `postgres://user:a/b?${MARKER}@host/database`,
  `postgres://user:a@${MARKER}@host/database`,
  `htp://user:${MARKER}@host/`,
  `https:/user:${MARKER}@host/`,
  `https//user:${MARKER}@host/`,
  `//user:${MARKER}@host`,
  `user:${MARKER}@broker:9092`,
  `one:9092,user:${MARKER}@two:9092`,
  `https://hooks.example/services/${MARKER} `,
  `https://host/hook?token=${MARKER} &x`,
  `host=db user=fairline password=${MARKER}`,
  `smtp://user:${MARKER}@mail.example:587`,
];
/** A wrong number or word is shown, so that the operator finds it; a password does not stand there alone. */
const isPlain = (type: string) => type !== 'secret';

function messageOf(work: () => unknown): string {
  try {
    work();
    return '';
  } catch (error) {
    return `${(error as Error).message}\n${explainError(error as Error)}`;
  }
}

describe('settings that are refused', () => {
  const names = Object.entries(settings as Record<string, { type: string; secret?: boolean }>);

  it.each(names)('never show a password: %s', (name, { type, secret }) => {
    const values = wrong.filter((value) => value !== MARKER || secret === true || !isPlain(type));
    for (const value of values) {
      for (const read of [() => readConfig({ [name]: value }), () => readGateConfig({ [name]: value }, {})]) {
        expect(messageOf(read), value).not.toContain(MARKER);
      }
    }
  });

  it('show what is not a password: the host, and a wrong word', () => {
    expect(messageOf(() => readConfig({ GATE_UPSTREAM: `http://user:${MARKER}@shop.example:8080` }))).toContain(
      'GATE_UPSTREAM=http://(not shown)@shop.example:8080: expected an http or https origin',
    );
    expect(messageOf(() => readConfig({ LOG_LEVEL: 'loud' }))).toContain('LOG_LEVEL=loud: expected fatal,');
  });

  it('never show a password on the command line', () => {
    const upstream = option('URL', text({ default: undefined, pattern: /^never$/, allowed: 'a URL', about: '' }));
    for (const value of wrong.slice(1)) {
      for (const args of [['--upstream', value], [value], [`--unknown=${value}`], [`--upstream=${value}`, value]]) {
        expect(
          messageOf(() => readOptions({ upstream }, args)),
          value,
        ).not.toContain(MARKER);
      }
    }
  });
});

describe('the program', () => {
  it.each([
    ['GATE_RULES_FILE', `https://user:${MARKER}@127.0.0.1/rules.json`],
    ['THEME_FILE', `https://user:${MARKER}@127.0.0.1/theme.json`],
  ])('does not show the password of %s when it cannot start, nor does the doctor', async (name, value) => {
    const env = { ...secrets, PORT: '0', DATA_DIR: tempFolder(), LOG_LEVEL: 'trace', [name]: value };
    const [started, checked] = await Promise.all([runProgram(['start'], env), runProgram(['doctor'], env)]);
    expect(started.code).toBe(1);
    expect(started.output).not.toContain(MARKER);
    expect(checked.output).not.toContain(MARKER);
  });

  it('does not show the password of DATABASE_URL while it waits for the database, nor does the doctor', async () => {
    const env = {
      DATA_DIR: tempFolder(),
      LOG_LEVEL: 'trace',
      SHOP: 'on',
      DATABASE_URL: `postgres://fairline:${MARKER}@127.0.0.1:1/none`,
    };
    const server = await startServer(env);
    expect(JSON.stringify((await server.ask('GET', '/ready')).body)).not.toContain(MARKER);
    await until('the reason', () => server.output().includes('waiting for stores: PostgreSQL'));
    expect(await server.kill('SIGTERM')).toBe(0);
    expect(server.output()).not.toContain(MARKER);
    expect((await runProgram(['doctor'], { ...secrets, ...env })).output).not.toContain(MARKER);
  });

  it('does not show the password in a DATA_DIR that is a URL by mistake', async () => {
    const DATA_DIR = `${tempFolder()}/postgres://fairline:${MARKER}@host/database`;
    const { output } = await runProgram(['doctor'], { ...secrets, DATA_DIR });
    expect(output).toContain('DATA_DIR');
    expect(output).not.toContain(MARKER);
  });

  it('logs no token of a query string, and no trace contains one', async () => {
    const collector = await startTraceCollector();
    const server = await startServer({
      ...{ DATA_DIR: tempFolder(), LOG_LEVEL: 'trace', DEMO: 'on' },
      OTEL_EXPORTER_OTLP_ENDPOINT: collector.endpoint,
    });
    const joined = await server.ask('POST', '/api/queue/join', { user: 'mina', body: { event_id: 'demo-concert' } });
    const token: string = joined.body.waiting_token;
    const paths = ['/api/queue/status', '/api/v1/queue/status', '/nowhere', '/gate/verify', '/queue/demo-concert'];
    for (const path of paths) await server.ask('GET', `${path}?token=${token}`);
    expect(await server.kill('SIGTERM')).toBe(0);
    await until('the spans', () => collector.spans.length >= paths.length);
    expect(collector.text()).not.toContain(token);
    expect(server.output()).not.toContain(token);
  });
});

describeWithRedis('a Redis that refuses the password', () => {
  it('does not make the program or the doctor show it', async () => {
    const redis = await startRedis();
    try {
      const REDIS_URL = redis.url.replace('redis://', `redis://nobody:${MARKER}@`);
      const env = { ...secrets, PORT: '0', DATA_DIR: tempFolder(), LOG_LEVEL: 'trace', SHOP: 'off', REDIS_URL };
      const [started, checked] = await Promise.all([runProgram(['start'], env), runProgram(['doctor'], env)]);
      expect(started.output).toContain('WRONGPASS');
      expect(`${started.output}${checked.output}`).not.toContain(MARKER);
    } finally {
      await redis.stop();
    }
  });
});

describe('log lines', () => {
  it('contain no password or token, whatever the error carries', () => {
    let written = '';
    const write = (chunk: Buffer, _encoding: string, done: () => void) => {
      written += chunk;
      done();
    };
    const log = createLog('trace', new Writable({ write }));
    const url = `redis://user:${MARKER}@host`;
    const error = Object.assign(new Error(`connect to ${url} failed`, { cause: new Error(url) }), {
      ...{ command: { name: 'auth', args: ['user', MARKER] }, input: url, code: 'ECONNREFUSED' },
    });
    log.error({ err: error }, `failed: ${url}?password=${MARKER}`);
    log.warn(`GET /api/queue/status?token=${MARKER}&x=1`);
    log.child({ role: 'line' }).warn({ err: error }, 'failed');
    expect(written.trim().split('\n')).toHaveLength(3);
    expect(written).toContain('ECONNREFUSED');
    expect(written).not.toContain(MARKER);
  });
});
