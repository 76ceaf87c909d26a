/**
 * Installs Apache Kafka for tests: its jars from Maven Central, cached outside the repository, and a formatted data folder
 * that each test broker copies.
 */
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { installIfMissing, isThere } from './debian-install.ts';

const VERSION = '4.1.0';
const CACHE = join(homedir(), '.cache', 'fairline');
const HOME = join(CACHE, `kafka-${VERSION}`);

export interface KafkaInstall {
  /** For `java -cp`. */
  classPath: string;
  /** An empty data folder of a broker with the node id 1. */
  formatted: string;
}

/** undefined if it is not installed. */
export function findKafka(): KafkaInstall | undefined {
  if (!existsSync(HOME) || !isThere('java')) return undefined;
  return { classPath: join(HOME, 'libs', '*'), formatted: join(HOME, 'formatted') };
}

export function installKafkaIfMissing(): void {
  if (findKafka() !== undefined) return;
  installIfMissing(['java'], ['default-jre-headless']);
  installIfMissing(['mvn'], ['maven']);
  if (!isThere('java') || !isThere('mvn')) return;
  process.stderr.write('Installing Apache Kafka for the tests … ');
  mkdirSync(CACHE, { recursive: true });
  const dir = mkdtempSync(join(CACHE, 'kafka-'));
  if (getJars(dir) && format(dir)) {
    // Atomic: others see a complete installation or none. Another run may have finished first.
    if (existsSync(HOME)) rmSync(dir, { recursive: true });
    else renameSync(dir, HOME);
    process.stderr.write('done\n');
  } else rmSync(dir, { recursive: true, force: true });
}

function getJars(dir: string): boolean {
  writeFileSync(join(dir, 'pom.xml'), POM);
  const args = ['-q', '-B', 'dependency:copy-dependencies', '-DincludeScope=runtime', '-DoutputDirectory=libs'];
  return succeeds('mvn', args, dir);
}

function format(dir: string): boolean {
  const settings = join(dir, 'format.properties');
  writeFileSync(settings, toProperties({ ...NODE, ...listenersOf(1, 2), 'log.dirs': join(dir, 'formatted') }));
  const tool = [
    '-cp',
    join(dir, 'libs', '*'),
    'kafka.tools.StorageTool',
    'format',
    '-t',
    'fairlinetestsfairline',
    '-c',
  ];
  return succeeds('java', [...tool, settings], dir);
}

function succeeds(command: string, args: string[], cwd: string): boolean {
  const { status, stdout, stderr } = spawnSync(command, args, { cwd, encoding: 'utf8' });
  if (status !== 0) process.stderr.write(`${command} failed:\n${stdout}${stderr}\n`);
  return status === 0;
}

const POM = `<project xmlns="http://maven.apache.org/POM/4.0.0">
  <modelVersion>4.0.0</modelVersion>
  <groupId>fairline</groupId>
  <artifactId>kafka-for-tests</artifactId>
  <version>1</version>
  <dependencies>
    <dependency><groupId>org.apache.kafka</groupId><artifactId>kafka_2.13</artifactId><version>${VERSION}</version></dependency>
  </dependencies>
</project>
`;

/** A single node that is both broker and controller, without start-up delays. */
export const NODE = {
  'process.roles': 'broker,controller',
  'node.id': '1',
  'controller.listener.names': 'CONTROLLER',
  'listener.security.protocol.map': 'PLAINTEXT:PLAINTEXT,CONTROLLER:PLAINTEXT',
  'offsets.topic.replication.factor': '1',
  'offsets.topic.num.partitions': '1',
  'transaction.state.log.replication.factor': '1',
  'transaction.state.log.min.isr': '1',
  'group.initial.rebalance.delay.ms': '0',
  'auto.create.topics.enable': 'false',
};

export function listenersOf(port: number, controllerPort: number): Record<string, string> {
  return {
    listeners: `PLAINTEXT://127.0.0.1:${port},CONTROLLER://127.0.0.1:${controllerPort}`,
    'advertised.listeners': `PLAINTEXT://127.0.0.1:${port}`,
    'controller.quorum.voters': `1@127.0.0.1:${controllerPort}`,
  };
}

export function toProperties(settings: Record<string, string>): string {
  return Object.entries(settings)
    .map(([name, value]) => `${name}=${value}\n`)
    .join('');
}
