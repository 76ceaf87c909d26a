/**
 * `fairline gate --workers N`: N processes that share one port. The first process accepts connections and hands them to the
 * workers in turn; it serves /health and /metrics for all of them, replaces a worker that dies, and stops them together.
 */
import cluster, { type Worker } from 'node:cluster';
import type { Logger } from 'pino';
import { AggregatorRegistry, type MetricObjectWithValues, type MetricValue, type Registry } from 'prom-client';
import { createStatusServer } from '../gate/proxy/status-server.ts';
import { listen } from '../platform/http-server/listen.ts';
import type { MetricsSource } from '../platform/http-server/metrics-page.ts';

export interface WorkersOptions {
  count: number;
  host: string;
  /** 0: serves neither health nor metrics. */
  statusPort: number;
  stopTimeoutMs: number;
  log: Logger;
}

export interface RunningWorkers {
  url: string;
  stop(): Promise<void>;
}

type Metrics = MetricObjectWithValues<MetricValue<string>>[];
type FromWorker =
  | { kind: 'ready'; url: string }
  | { kind: 'failed'; message: string; code: string | undefined }
  | { kind: 'metrics'; metrics: Metrics; id: number };
type ToWorker = { kind: 'stop' } | { kind: 'read-metrics'; id: number };

/** A worker that dies soon after its start is not replaced faster than this. */
const RESTART_MS = 1_000;
const METRICS_TIMEOUT_MS = 2_000;
/** Beyond the time in which a worker stops by itself. */
const KILL_AFTER_MS = 2_000;

export const isWorker = (): boolean => cluster.isWorker;

export async function startWorkers(options: WorkersOptions): Promise<RunningWorkers> {
  const workers = new Workers(options);
  const url = await workers.start();
  const { statusPort, host } = options;
  const status = statusPort === 0 ? undefined : createStatusServer(workers);
  if (status !== undefined) await listen(status, { host, port: statusPort });
  return {
    url,
    async stop() {
      await workers.stop();
      status?.close();
    },
  };
}

class Workers implements MetricsSource {
  readonly contentType = new AggregatorRegistry().contentType;
  readonly #options: WorkersOptions;
  readonly #running = new Set<Worker>();
  readonly #restarts = new Set<NodeJS.Timeout>();
  #isStarted = false;
  #isStopping = false;
  #lastQuestion = 0;

  constructor(options: WorkersOptions) {
    this.#options = options;
  }

  /** Resolves when all workers listen. Rejects if one of them cannot. */
  async start(): Promise<string> {
    const started = Array.from({ length: this.#options.count }, () => this.#fork());
    try {
      const [url] = await Promise.all(started);
      this.#isStarted = true;
      return url!;
    } catch (error) {
      await this.stop();
      throw error;
    }
  }

  async stop(): Promise<void> {
    this.#isStopping = true;
    for (const timer of this.#restarts) clearTimeout(timer);
    await Promise.all([...this.#running].map((worker) => stopWorker(worker, this.#options.stopTimeoutMs)));
  }

  /** The sum over all workers; without one that does not answer. */
  async metrics(): Promise<string> {
    this.#lastQuestion += 1;
    const id = this.#lastQuestion;
    const answers = await Promise.all([...this.#running].map((worker) => askForMetrics(worker, id)));
    return AggregatorRegistry.aggregate(answers.filter((answer) => answer !== undefined)).metrics();
  }

  #fork(): Promise<string> {
    const worker = cluster.fork();
    const startedAt = performance.now();
    this.#running.add(worker);
    return new Promise((resolve, reject) => {
      let isReady = false;
      worker.on('message', (message: FromWorker) => {
        if (message.kind === 'failed') reject(Object.assign(new Error(message.message), { code: message.code }));
        if (message.kind !== 'ready') return;
        isReady = true;
        resolve(message.url);
      });
      worker.once('exit', (code, signal) => {
        this.#running.delete(worker);
        if (!isReady) reject(new Error(`a worker of the gate exited with code ${code} before it was ready`));
        if (this.#isStarted && !this.#isStopping) {
          this.#replace(worker, { code, signal, livedMs: performance.now() - startedAt });
        }
      });
    });
  }

  #replace({ process: { pid } }: Worker, died: { code: number; signal: string; livedMs: number }): void {
    const { log } = this.#options;
    log.error({ pid, ...died }, 'a worker of the gate died; starting another');
    const timer = setTimeout(
      () => {
        this.#restarts.delete(timer);
        this.#fork().catch((error) => log.error({ err: error }, 'a worker of the gate could not be started'));
      },
      Math.max(0, RESTART_MS - died.livedMs),
    );
    this.#restarts.add(timer);
  }
}

function stopWorker(worker: Worker, stopTimeoutMs: number): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(() => worker.process.kill('SIGKILL'), stopTimeoutMs + KILL_AFTER_MS);
    worker.once('exit', () => {
      clearTimeout(timer);
      resolve();
    });
    worker.send({ kind: 'stop' } satisfies ToWorker, (error) => error && worker.process.kill('SIGTERM'));
  });
}

function askForMetrics(worker: Worker, id: number): Promise<Metrics | undefined> {
  return new Promise((resolve) => {
    const finish = (metrics: Metrics | undefined) => {
      clearTimeout(timer);
      worker.off('message', onMessage).off('exit', onExit);
      resolve(metrics);
    };
    const onMessage = (message: FromWorker) => {
      if (message.kind === 'metrics' && message.id === id) finish(message.metrics);
    };
    const onExit = () => finish(undefined);
    const timer = setTimeout(onExit, METRICS_TIMEOUT_MS);
    worker.on('message', onMessage).on('exit', onExit);
    worker.send({ kind: 'read-metrics', id } satisfies ToWorker, (error) => error && onExit());
  });
}

/** In a worker: says that it listens, answers questions about its metrics, and stops when it is told or left alone. */
export function serveAsWorker(url: string, registry: Registry, stop: () => Promise<void>): void {
  let stopping: Promise<void> | undefined;
  const stopOnce = () => {
    stopping ??= stop();
    stopping.then(
      () => process.exit(0),
      () => process.exit(1),
    );
  };
  process.on('message', async (message: ToWorker) => {
    if (message.kind === 'stop') stopOnce();
    else send({ kind: 'metrics', metrics: (await registry.getMetricsAsJSON()) as Metrics, id: message.id });
  });
  process.once('disconnect', stopOnce);
  // A service manager and a terminal signal all processes; a second signal must not end what is being finished.
  for (const signal of ['SIGTERM', 'SIGINT'] as const) process.on(signal, stopOnce);
  send({ kind: 'ready', url });
}

/** In a worker that could not start. */
export function failAsWorker(error: Error & { code?: string }): void {
  send({ kind: 'failed', message: error.message, code: error.code });
  process.disconnect();
}

function send(message: FromWorker): void {
  if (process.connected) process.send?.(message);
}
