/** The link of a gate process to its line: what rooms want, whether the line can be asked, reports. */
import { hostname } from 'node:os';
import type { Logger } from 'pino';
import { Counter, Gauge, type Registry } from 'prom-client';
import { FailOpen, type FailOpenOptions } from '../gate/fail-open/fail-open.ts';
import type { OpenPasses } from '../gate/fail-open/open-pass.ts';
import { SitesHealth } from '../gate/health/sites-health.ts';
import { fetchGateRooms } from '../gate/lookups/fetch-gate-rooms.ts';
import { createLineClient } from '../gate/lookups/line-client.ts';
import { LineWatch, LOOK_EVERY_MS } from '../gate/lookups/line-watch.ts';
import { createReportToLine } from '../gate/report-to-line.ts';
import { stopwatch, systemClock } from '../platform/clock.ts';

export interface GateLinkOptions {
  lineUrl: string;
  serviceKey: string;
  passes: OpenPasses;
  /** The part of every failOpen rate that this process has: 1 divided by the number of workers of the gate. */
  share?: number;
  registry: Registry;
  log: Logger;
}

export interface GateLink {
  failOpen: FailOpen;
  health: SitesHealth;
  stop(): void;
}

export function openGateLink({ lineUrl, serviceKey, passes, share = 1, registry, log }: GateLinkOptions): GateLink {
  const client = createLineClient({ lineUrl, serviceKey });
  const health = new SitesHealth();
  const watch = new LineWatch({
    fetchRooms: (revision) => fetchGateRooms(client, revision),
    now: () => stopwatch.now(),
    async onLooked(isReached) {
      failOpen.step();
      if (isReached) await reports.send();
    },
    onRefused: (error) =>
      log.warn({ err: error }, 'the line refuses this gate: failOpen and followHealth have no effect; see SERVICE_KEY'),
  });
  const reports = createReportToLine({
    client,
    watch,
    health,
    gate: `${hostname()}:${process.pid}`,
    now: () => performance.now(),
  });
  const failOpen = new FailOpen({
    ...{ watch, passes, share, now: () => systemClock.now(), stopwatch: () => stopwatch.now() },
    ...announceOutages(log, registry, watch),
    onClosed(report) {
      log.warn(
        { ...report, event: report.eventId },
        `fail open ended: ${report.passed} visitors passed without waiting`,
      );
      reports.addOutage(report);
    },
  });
  void watch.look();
  const timer = setInterval(() => watch.touch(), LOOK_EVERY_MS / 4).unref();
  return { failOpen, health, stop: () => clearInterval(timer) };
}

/** One log line when a trickle opens, and the metrics. */
export function announceOutages(
  log: Logger,
  registry: Registry,
  watch: Pick<LineWatch, 'downSince' | 'rooms'>,
): Required<Pick<FailOpenOptions, 'onOpened' | 'onPassed'>> {
  const passes = new Counter({
    name: 'fairline_gate_fail_open_passes_total',
    help: 'Visitors whom this gate let pass without waiting while the line could not be asked',
    labelNames: ['event'],
    registers: [registry],
  });
  new Gauge({
    name: 'fairline_gate_line_down_seconds',
    help: 'For how long this gate has not been able to ask the line; 0 while it can',
    registers: [registry],
    collect() {
      const since = watch.downSince();
      this.set(since === undefined ? 0 : (stopwatch.now() - since) / 1000);
    },
  });
  new Gauge({
    name: 'fairline_gate_known_rooms',
    help: 'Rooms with failOpen or followHealth that this gate knows of',
    registers: [registry],
    collect() {
      this.set([...watch.rooms()].length);
    },
  });
  return {
    onPassed: (event) => passes.inc({ event }),
    onOpened(event, { afterSeconds, forMinutes, perSecond }) {
      const text = `fail open: the line could not be asked for ${afterSeconds} s; up to ${perSecond} visitors per second pass to ${event} for up to ${forMinutes} min`;
      log.warn({ event, afterSeconds, forMinutes, perSecond }, text);
    },
  };
}
