/** Asks whether the system serves again, as a visitor would find out. */
import { setTimeout as sleep } from 'node:timers/promises';
import { Browser, createBalancer } from '../crowd/browser.ts';
import { PROBE, TURNSTILE } from '../operator.ts';
import type { Program } from '../system/program.ts';
import type { System } from '../system/system.ts';
import type { Area } from './fault-kinds.ts';

export interface ProbeOptions {
  system: System;
  userToken(user: string): string;
}

const LONGEST_MS = 90_000;
const PAUSE_MS = 20;
const TURN_TRIES = 100;

let probes = 0;

/**
 * Resolves to the time at which the affected part served, or undefined if it did not for a long time. Joins for the line and Redis, a
 * turn of the line for the admitter, a purchase's reads for the shop, an outbox that empties for the log.
 */
export async function untilServing(area: Area, target: string, options: ProbeOptions): Promise<number | undefined> {
  const deadline = Date.now() + LONGEST_MS;
  const serves = probeOf(area, target, options);
  while (Date.now() < deadline) {
    if (await serves()) return Date.now();
    await sleep(PAUSE_MS);
  }
  return undefined;
}

function probeOf(area: Area, target: string, { system, userToken }: ProbeOptions): () => Promise<boolean> {
  const { lines, shops, programs } = system;
  const hit = programs.filter(({ name }) => name === target);
  const can = async (program: Program) => canJoin(program, userToken);
  switch (area) {
    case 'line':
      return () => all(hit.length > 0 ? hit : lines, can);
    case 'redis':
      return () => all(running(lines), can);
    case 'admitter':
      return () => takesTurns(running(lines), userToken);
    case 'shop':
    case 'postgres':
      return () => all(running(shops), (shop) => canReadShop(shop, userToken));
    case 'records':
    case 'kafka':
      return () => all(running(programs.filter(({ roles }) => roles.includes('relay'))), hasEmptyOutbox);
  }
}

/** Processes that another fault has taken away are not asked. */
function running(programs: readonly Program[]): Program[] {
  return programs.filter(({ isRunning, isStopped }) => isRunning && !isStopped);
}

async function all(programs: readonly Program[], serves: (program: Program) => Promise<boolean>): Promise<boolean> {
  return programs.length > 0 && (await Promise.all(programs.map(serves))).every((value) => value);
}

async function canJoin(program: Program, userToken: ProbeOptions['userToken']): Promise<boolean> {
  const browser = newBrowser(program, userToken);
  const { status } = await browser.send({ method: 'POST', path: `/api/queue/check/${PROBE}` });
  if (status !== 200) return false;
  // Forgotten here if it fails: the session ends by itself.
  void browser.send({ method: 'POST', path: `/api/queue/leave/${PROBE}` });
  return true;
}

/** Two visitors in a room for one: when the first leaves, only a tick can admit the second. */
async function takesTurns(lines: readonly Program[], userToken: ProbeOptions['userToken']): Promise<boolean> {
  const [line] = lines;
  if (line === undefined) return false;
  const visitors = [newBrowser(line, userToken), newBrowser(line, userToken)];
  const ask = (browser: Browser | undefined, what: 'check' | 'leave') =>
    browser!.send({ method: 'POST', path: `/api/queue/${what}/${TURNSTILE}` });
  try {
    for (const browser of visitors) if ((await ask(browser, 'check')).status !== 200) return false;
    await ask(visitors[0], 'leave');
    for (let tries = 0; tries < TURN_TRIES; tries += 1) {
      if ((await ask(visitors[1], 'check')).body?.status === 'active') return true;
      await sleep(PAUSE_MS);
    }
    return false;
  } finally {
    await Promise.all(visitors.map((browser) => ask(browser, 'leave')));
  }
}

async function canReadShop(program: Program, userToken: ProbeOptions['userToken']): Promise<boolean> {
  const { status } = await newBrowser(program, userToken).send({ method: 'GET', path: '/api/reservations/my' });
  return status === 200;
}

async function hasEmptyOutbox(program: Program): Promise<boolean> {
  try {
    // It measures the outbox and the log, on a machine that may be busy.
    const response = await fetch(`${program.url}/metrics`, { signal: AbortSignal.timeout(5_000) });
    const age = Number(/^fairline_outbox_age_seconds (\S+)$/m.exec(await response.text())?.[1]);
    return age <= 2;
  } catch {
    return false;
  }
}

function newBrowser(program: Program, userToken: ProbeOptions['userToken']): Browser {
  probes += 1;
  const browser = new Browser(createBalancer([program]));
  browser.bearer = userToken(`probe-${probes}`);
  return browser;
}
