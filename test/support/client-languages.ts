/** The languages of clients/: how their programs are found or installed, and how the tests of a client are run. */
import { execFile, spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { installIfMissing, isThere } from './debian-install.ts';

const PYTHON_FOLDER = join(homedir(), '.cache', 'fairline', 'python-client');
const PHP_PACKAGES = ['php-cli', 'php-psr', 'php-nyholm-psr7'];

/** Called once before all tests. Go is not installed: the Go of Debian 12 is older than the client needs. */
export function installClientLanguages(): void {
  installIfMissing(['php'], PHP_PACKAGES);
  installIfMissing(['javac'], ['default-jdk-headless']);
  installIfMissing(['mvn'], ['maven']);
  if (!isThere('python3') || findPython() !== undefined) return;
  process.stderr.write('Installing the Python package cryptography for the tests … ');
  const python = join(PYTHON_FOLDER, 'bin', 'python');
  const isInstalled = succeeds('python3', '-m', 'venv', PYTHON_FOLDER) && succeeds(python, ...PIP);
  process.stderr.write(isInstalled ? 'done\n' : 'failed\n');
}

const PIP = ['-m', 'pip', 'install', '-q', '--disable-pip-version-check', 'cryptography'];

/** A Python that has what the client needs. */
export function findPython(): string | undefined {
  const own = join(PYTHON_FOLDER, 'bin', 'python');
  return ['python3', ...(existsSync(own) ? [own] : [])].find((python) => succeeds(python, '-c', 'import cryptography'));
}

export const hasGo = () => isThere('go') && /go1\.(2[2-9]|[3-9]\d)/.test(outputOf('go', 'version'));
export const hasJava = () => isThere('javac') && isThere('mvn');
export const hasPhp = () => isThere('php');

/** For tests, starting fast matters more than running fast. */
const FAST_START = '-XX:TieredStopAtLevel=1 -XX:+UseSerialGC';
export const javaOptions = FAST_START.split(' ');
export const mavenEnv = { MAVEN_OPTS: FAST_START };
export const mavenTest = ['-q', '-B', 'test', `-DargLine=${FAST_START}`];

const run = promisify(execFile);
const TIMEOUT_MS = 280_000;

/** What the program prints, or an error with it. */
export async function runProgram(
  command: string,
  args: readonly string[],
  { cwd, env = {} }: { cwd: string; env?: Record<string, string> },
): Promise<string> {
  const options = { cwd, env: { ...process.env, ...env }, timeout: TIMEOUT_MS, maxBuffer: 16 * 1024 * 1024 };
  try {
    const { stdout, stderr } = await run(command, [...args], options);
    return stdout + stderr;
  } catch (error) {
    const { stdout = '', stderr = '', message } = error as Error & { stdout?: string; stderr?: string };
    throw new Error(`${command} ${args.join(' ')} failed: ${message.split('\n')[0]}\n${stdout}${stderr}`);
  }
}

function succeeds(command: string, ...args: string[]): boolean {
  return spawnSync(command, args).status === 0;
}

function outputOf(command: string, ...args: string[]): string {
  return spawnSync(command, args, { encoding: 'utf8' }).stdout;
}
