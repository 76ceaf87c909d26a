/** One process of the built program: started, killed, stopped and started again on the same port. */
import { type ChildProcess, spawn } from 'node:child_process';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';

export interface ProgramOptions {
  name: string;
  roles: string;
  port: number;
  folder: string;
  env: Readonly<Record<string, string>>;
  onComplaint(process: string, text: string): void;
}

const MAIN = new URL('../../../dist/src/main.js', import.meta.url).pathname;
const CLOCK = new URL('./shifted-clock.cjs', import.meta.url).pathname;
/** An unhandled rejection or exception, or an error that the program logs as its own fault. */
const SERIOUS = /unhandled|uncaught|TypeError|ReferenceError|RangeError|"level":(?:50|60)/i;
/** Errors of stores that are away are expected, and logged by some parts as errors. */
const OF_A_STORE =
  /ECONNREFUSED|ECONNRESET|EPIPE|ETIMEDOUT|STORE_UNAVAILABLE|StoreUnavailable|unavailable|timed? ?out|Connection (?:is closed|terminated)|terminating connection|the database system|CLUSTERDOWN|Kafka|MISCONF|READONLY|LOADING|isn't writeable|retrying/i;
const LONGEST_COMPLAINT = 2_000;
const LONGEST_LINE = 400;
const LAST_LINES = 12;
const SUPERVISOR_MS = 1_000;

export class Program {
  readonly name: string;
  readonly roles: string;
  readonly url: string;
  readonly #options: ProgramOptions;
  #child: ChildProcess | undefined;
  #starts = 0;
  #isWanted = false;
  #isStopped = false;
  #lastLines: string[] = [];

  constructor(options: ProgramOptions) {
    this.#options = options;
    this.name = options.name;
    this.roles = options.roles;
    this.url = `http://127.0.0.1:${options.port}`;
    mkdirSync(options.folder, { recursive: true });
  }

  /** Name and number of the start: a new start knows nothing of what its predecessor told anyone. */
  get incarnation(): string {
    return `${this.name}.${this.#starts}`;
  }

  get pid(): number | undefined {
    return this.#child?.pid;
  }

  get isRunning(): boolean {
    return this.#child !== undefined && this.#child.exitCode === null && this.#child.signalCode === null;
  }

  get isStopped(): boolean {
    return this.#isStopped;
  }

  get clockFile(): string {
    return join(this.#options.folder, 'clock-offset');
  }

  /** Starts the process. It is ready later. */
  start(): void {
    if (this.isRunning) return;
    const { roles, port, folder, env } = this.#options;
    this.#starts += 1;
    this.#isWanted = true;
    this.#isStopped = false;
    const incarnation = this.incarnation;
    const child = spawn(process.execPath, ['--require', CLOCK, MAIN, 'start'], {
      env: {
        PATH: process.env.PATH ?? '',
        ...env,
        PORT: String(port),
        DATA_DIR: join(folder, 'data'),
        FAIRLINE_ROLES: roles,
        CLOCK_OFFSET_FILE: this.clockFile,
      },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    this.#child = child;
    for (const stream of [child.stdout, child.stderr]) {
      let rest = '';
      stream.setEncoding('utf8').on('data', (chunk: string) => {
        const lines = (rest + chunk).split('\n');
        rest = lines.pop()!.slice(-LONGEST_COMPLAINT);
        for (const line of lines) this.#read(incarnation, line);
      });
    }
    child.once('exit', (code, signal) => {
      if (!this.#isWanted || this.#child !== child) return;
      this.#options.onComplaint(
        incarnation,
        `exited with ${code ?? signal} though nobody stopped it; it last said:\n${this.#lastLines.join('\n')}`,
      );
      // As a supervisor does, so that the rest of the run still says something.
      setTimeout(() => this.#isWanted && this.start(), SUPERVISOR_MS).unref();
    });
  }

  #read(incarnation: string, line: string): void {
    this.#lastLines = [...this.#lastLines, line.slice(0, LONGEST_LINE)].slice(-LAST_LINES);
    if (SERIOUS.test(line) && !OF_A_STORE.test(line))
      this.#options.onComplaint(incarnation, line.slice(0, LONGEST_COMPLAINT));
  }

  /** Ends with this signal; resolves when the process is gone. */
  async end(signal: 'SIGKILL' | 'SIGTERM'): Promise<void> {
    this.#isWanted = false;
    const child = this.#child;
    if (child === undefined || !this.isRunning) return;
    const exited = new Promise((resolve) => child.once('exit', resolve));
    if (this.#isStopped) child.kill('SIGCONT');
    this.#isStopped = false;
    child.kill(signal);
    // An orderly stop has its own time limit; a process that ignores it is a complaint, not a hang of this run.
    const late = setTimeout(() => {
      this.#options.onComplaint(this.incarnation, `did not stop within 20 s of ${signal}`);
      child.kill('SIGKILL');
    }, 20_000);
    await exited;
    clearTimeout(late);
  }

  freeze(): void {
    this.#child?.kill('SIGSTOP');
    this.#isStopped = true;
  }

  resume(): void {
    this.#child?.kill('SIGCONT');
    this.#isStopped = false;
  }

  /** Tells the preloaded clock to read its offset again. */
  nudgeClock(): void {
    if (this.isRunning) this.#child?.kill('SIGUSR2');
  }
}
