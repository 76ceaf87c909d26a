/** `fairline gate --workers`: several processes on one port. */
import { readFileSync } from 'node:fs';
import { connect, createServer } from 'node:net';
import { describe, expect, it, onTestFinished } from 'vitest';
import { ask } from '../gate/proxy/run-gate.ts';
import { freePort } from '../support/free-port.ts';
import { runProgram, startGateProcess } from '../support/server-process.ts';
import { startSite } from '../support/site.ts';
import { secrets } from '../support/test-app.ts';
import { until } from '../support/until.ts';

const OPEN = '/about';

async function startWorkers(answer?: Parameters<typeof startSite>[0], env: Record<string, string> = {}) {
  const site = await startSite(answer);
  const statusPort = await freePort();
  const gate = await startGateProcess(['--upstream', site.url, '--workers', '2'], {
    GATE_STATUS_PORT: String(statusPort),
    GATE_VWR_EVENTS: 'all',
    ...env,
  });
  const status = `http://127.0.0.1:${statusPort}`;
  const passed = async () => {
    const text = await (await fetch(`${status}/metrics`)).text();
    return Number(/^fairline_gate_decisions_total\{outcome="pass",code="none"\} (\d+)$/m.exec(text)?.[1] ?? 0);
  };
  return { site, gate, status, passed };
}

const workersOf = (pid: number): number[] =>
  readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').split(' ').filter(Boolean).map(Number);

describe('fairline gate --workers 2', () => {
  it('serves one port from two processes and adds up their metrics', async () => {
    const { gate, status, passed } = await startWorkers();
    expect(workersOf(gate.pid)).toHaveLength(2);
    for (let i = 0; i < 10; i += 1) expect((await ask(gate.url, OPEN)).status).toBe(200);
    expect((await ask(gate.url, '/api/seats/events/concert')).status).toBe(403);
    expect((await fetch(`${status}/health`)).status).toBe(200);
    expect(await passed()).toBe(10);
    expect(gate.output().match(/listens on/g)).toHaveLength(1);
  });

  it('replaces a worker that dies, while the other one serves', async () => {
    const { gate } = await startWorkers();
    const [first] = workersOf(gate.pid);
    process.kill(first!, 'SIGKILL');
    await until('another worker', () => {
      const workers = workersOf(gate.pid);
      return workers.length === 2 && !workers.includes(first!);
    });
    expect(gate.output()).toContain('a worker of the gate died');
    for (let i = 0; i < 10; i += 1) expect((await ask(gate.url, OPEN)).status).toBe(200);
    expect(await gate.kill('SIGTERM')).toBe(0);
  });

  it.each(['SIGTERM', 'SIGINT'] as const)('finishes requests in progress in all workers on %s', async (signal) => {
    const held: (() => void)[] = [];
    const { gate } = await startWorkers((_request, response) => void held.push(() => response.end('late')));
    const asked = Array.from({ length: 6 }, () => ask(gate.url, OPEN));
    await until('all requests to reach the site', () => held.length === 6);
    const workers = workersOf(gate.pid);
    const exited = gate.kill(signal);
    // A terminal and a service manager signal every process.
    for (const worker of workers) process.kill(worker, signal);
    await until('the port to close', () => isClosed(gate.url));
    for (const release of held) release();
    for (const { status, text } of await Promise.all(asked)) expect([status, text]).toEqual([200, 'late']);
    expect(await exited).toBe(0);
    expect(workers.filter(isRunning)).toEqual([]);
  });

  it('ends the workers if the first process is killed', async () => {
    const { gate } = await startWorkers();
    const workers = workersOf(gate.pid);
    await gate.kill('SIGKILL');
    await until('the workers to end', () => workers.filter(isRunning).length === 0);
  });

  it('reports a port in use, or an invalid setting, once', async () => {
    const taken = createServer().listen(0, '127.0.0.1');
    onTestFinished(() => void taken.close());
    await until('a taken port', () => taken.listening);
    const { port } = taken.address() as { port: number };
    const words = ['gate', '--upstream', 'http://127.0.0.1:1', '--workers', '2', '--port', String(port)];
    const inUse = await runProgram(words, { ...secrets, HOST: '127.0.0.1' });
    expect([inUse.code, inUse.output.match(/port already in use/g)]).toEqual([1, ['port already in use']]);
    const invalid = await runProgram(['gate', '--workers', '2'], secrets);
    expect([invalid.code, invalid.output.match(/GATE_UPSTREAM \(--upstream\) is not set/g)?.length]).toEqual([1, 1]);
  });
});

function isClosed(url: string): Promise<boolean> {
  const { hostname, port } = new URL(url);
  return new Promise((resolve) => {
    const socket = connect(Number(port), hostname, () => {
      socket.destroy();
      resolve(false);
    });
    socket.on('error', () => resolve(true));
  });
}

function isRunning(pid: number): boolean {
  try {
    // A process that has ended is a zombie until it is waited for.
    return !/^State:\s+Z/m.test(readFileSync(`/proc/${pid}/status`, 'utf8'));
  } catch {
    return false;
  }
}
