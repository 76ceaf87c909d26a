/** A real Apache Kafka broker for tests (KRaft, one node): one shared by all suites of a run, or one that a test kills. */
import { type ChildProcess, spawn } from 'node:child_process';
import { cpSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, inject, it } from 'vitest';
import { freePort } from './free-port.ts';
import { findKafka, listenersOf, NODE, toProperties } from './kafka-install.ts';
import { findOrStart } from './shared-server.ts';
import { until } from './until.ts';

export interface KafkaServer {
  /** In the format of KAFKA_BROKERS. */
  readonly address: string;
  /** Simulates a crash. */
  kill(): Promise<void>;
  /** Restarts on the same port and folder. */
  start(): Promise<void>;
  stop(): Promise<void>;
}

const HOW_TO_ENABLE = 'needs Apache Kafka, which the tests install if java and mvn are present';
/** Fast start-up matters more than throughput. */
const JAVA = ['-Xmx384m', '-XX:+UseSerialGC', '-XX:TieredStopAtLevel=1'];

/** A suite that needs Kafka. Without it the suite is skipped with a reason; in CI it fails. */
export function describeWithKafka(name: string, suite: () => void): void {
  if (findKafka() !== undefined) describe(name, suite);
  else if (process.env.CI === 'true') describe(name, failWithoutKafka);
  else describe.skip(`${name}: ${HOW_TO_ENABLE}`, suite);
}

/** A broker for this suite only. `more`: settings that replace the usual ones, by its two ports. */
export async function startKafka(
  more: (port: number, controllerPort: number) => Record<string, string> = () => ({}),
): Promise<KafkaServer> {
  const dir = mkdtempSync(join(tmpdir(), 'fairline-kafka-'));
  const [port, controllerPort] = [await freePort(), await freePort()];
  prepare(dir, port, controllerPort, more(port, controllerPort));
  let child: ChildProcess | undefined;
  // An interrupted run does not reach its cleanup.
  process.once('exit', () => child?.kill('SIGKILL'));
  const server: KafkaServer = {
    address: `127.0.0.1:${port}`,
    async start() {
      // A start that took too long may still be under way.
      if (child === undefined || hasEnded(child)) child = run(dir);
      await until(`Kafka on port ${port}`, () => {
        // It exits if another process took its port while it was down.
        if (child === undefined || hasEnded(child)) child = run(dir);
        return accepts(port);
      });
    },
    kill: () => end(child),
    async stop() {
      await end(child);
      rmSync(dir, { recursive: true, force: true });
    },
  };
  await server.start();
  return server;
}

/**
 * The address of the broker shared by all suites of a run; each suite uses its own topic prefix. The first caller starts
 * it; before-all.ts stops it.
 */
export async function sharedKafka(): Promise<string> {
  const dir = inject('kafkaFolder');
  const { port } = await findOrStart(dir, async () => {
    const [port, controllerPort] = [await freePort(), await freePort()];
    prepare(dir, port, controllerPort);
    const { pid } = run(dir, { detached: true });
    return { port, pid: pid!, signal: 'SIGKILL' };
  });
  await until(`Kafka on port ${port}`, () => accepts(port));
  return `127.0.0.1:${port}`;
}

function prepare(dir: string, port: number, controllerPort: number, more: Record<string, string> = {}): void {
  const data = join(dir, 'data');
  cpSync(findKafka()!.formatted, data, { recursive: true });
  const settings = { ...NODE, ...listenersOf(port, controllerPort), 'log.dirs': data, ...more };
  writeFileSync(join(dir, 'server.properties'), toProperties(settings));
}

function run(dir: string, { detached = false } = {}): ChildProcess {
  const args = [...JAVA, '-cp', findKafka()!.classPath, 'kafka.Kafka', join(dir, 'server.properties')];
  const child = spawn('java', args, { stdio: 'ignore', cwd: dir, detached });
  if (detached) child.unref();
  return child;
}

async function end(child: ChildProcess | undefined): Promise<void> {
  if (child === undefined || hasEnded(child)) return;
  const exited = new Promise((resolve) => child.once('exit', resolve));
  child.kill('SIGKILL');
  await exited;
}

function hasEnded({ exitCode, signalCode }: ChildProcess): boolean {
  return exitCode !== null || signalCode !== null;
}

function accepts(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1');
    socket.once('connect', () => resolve(true)).once('error', () => resolve(false));
    socket.once('connect', () => socket.destroy());
  });
}

function failWithoutKafka(): void {
  it('has a Kafka broker to run on', () => {
    throw new Error(HOW_TO_ENABLE);
  });
}

declare module 'vitest' {
  interface ProvidedContext {
    kafkaFolder: string;
  }
}
