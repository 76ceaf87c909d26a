/** The compiled program in its own process, started as an operator starts it. */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { Agent, type IncomingHttpHeaders, request } from 'node:http';
import { onTestFinished } from 'vitest';
import { createTokenSigner } from '../../src/platform/jwt/tokens.ts';
import { type EventStream, openStream } from './event-stream.ts';
import { secrets } from './test-app.ts';
import { until } from './until.ts';

export interface Answer {
  status: number;
  headers: IncomingHttpHeaders;
  // biome-ignore lint/suspicious/noExplicitAny: any response body.
  body: any;
}

export interface AskOptions {
  user?: string;
  operator?: boolean;
  body?: unknown;
  headers?: Record<string, string>;
}

export interface ServerProcess {
  url: string;
  pid: number;
  output(): string;
  ask(method: string, path: string, options?: AskOptions): Promise<Answer>;
  /** A token signed as the host site does. */
  userToken(user: string): string;
  /** Joins through the stream door. */
  watch(eventId: string, user: string): Promise<EventStream>;
  /** Resolves with the exit code. */
  kill(signal: NodeJS.Signals): Promise<number | null>;
  /** Suspends the process, like a hang. */
  freeze(): void;
  /** Ends a freeze. */
  resume(): void;
}

export interface FinishedProcess {
  code: number | null;
  output: string;
}

const MAIN = new URL('../../dist/src/main.js', import.meta.url).pathname;
const signUser = createTokenSigner({ secret: secrets.AUTH_JWT_SECRET, typ: 'JWT' });

function spawnProgram(args: string[], env: Record<string, string>): { child: ChildProcess; output: () => string } {
  const child = spawn(process.execPath, [MAIN, ...args], {
    env: { PATH: process.env.PATH ?? '', ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  onTestFinished(() => {
    child.kill('SIGKILL');
  });
  let output = '';
  for (const stream of [child.stdout!, child.stderr!]) stream.on('data', (chunk) => (output += chunk));
  return { child, output: () => output };
}

/** Runs the program until it exits. */
export async function runProgram(args: string[], env: Record<string, string> = {}): Promise<FinishedProcess> {
  const { child, output } = spawnProgram(args, env);
  const [code] = await once(child, 'close');
  return { code, output: output() };
}

export function startServer(env: Record<string, string>): Promise<ServerProcess> {
  return startListening(['start'], env);
}

/** Starts `fairline gate` with these arguments. */
export function startGateProcess(args: string[], env: Record<string, string> = {}): Promise<ServerProcess> {
  return startListening(['gate', ...args], env);
}

async function startListening(args: string[], env: Record<string, string>): Promise<ServerProcess> {
  const { child, output } = spawnProgram(args, {
    ...secrets,
    PORT: '0',
    LOG_LEVEL: 'warn',
    DEMO: 'off',
    SHOP: 'off',
    ...env,
  });
  const exited = once(child, 'exit');
  const url = await until('the server to listen', () => {
    if (child.exitCode !== null) throw new Error(`the server stopped: ${output()}`);
    return /listen(?:s|ing) on (http\S+)/.exec(output())?.[1];
  });
  const agent = new Agent({ keepAlive: true, maxSockets: 64 });
  onTestFinished(() => agent.destroy());
  return {
    url,
    pid: child.pid!,
    output,
    ask: (method, path, { user, operator, body, headers } = {}) => {
      const token = operator ? secrets.ADMIN_TOKEN : user && userToken(user);
      return askServer(agent, method, `${url}${path}`, token, body, headers);
    },
    userToken,
    watch: (eventId, user) =>
      openStream(`${url}/events/${eventId}/tickets/waiting`, { authorization: `Bearer ${userToken(user)}` }),
    freeze() {
      child.kill('SIGSTOP');
    },
    resume() {
      child.kill('SIGCONT');
    },
    async kill(signal) {
      child.kill(signal);
      const [code] = await exited;
      return code;
    },
  };
}

function userToken(user: string): string {
  const iat = Math.floor(Date.now() / 1000);
  return signUser({ sub: user, iat, exp: iat + 3_600 });
}

function askServer(
  agent: Agent,
  method: string,
  url: string,
  token: string | undefined,
  body: unknown,
  more: Record<string, string> = {},
): Promise<Answer> {
  const headers = {
    ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
    ...(body === undefined ? {} : { 'content-type': 'application/json' }),
    ...more,
  };
  return new Promise((resolve, reject) => {
    const sent = request(url, { method, headers, agent }, (response) => {
      let text = '';
      response.on('data', (chunk) => (text += chunk));
      response.on('end', () => resolve({ status: response.statusCode!, headers: response.headers, body: parse(text) }));
      response.on('error', reject);
    });
    sent.on('error', reject);
    sent.end(body === undefined ? undefined : JSON.stringify(body));
  });
}

/** Parses JSON; returns any other text unchanged. */
function parse(text: string): unknown {
  if (text === '') return undefined;
  return text.startsWith('{') || text.startsWith('[') ? JSON.parse(text) : text;
}
