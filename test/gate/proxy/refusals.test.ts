import { Writable } from 'node:stream';
import { pino } from 'pino';
import { Registry } from 'prom-client';
import { expect, it } from 'vitest';
import { createRefusals } from '../../../src/gate/proxy/refusals.ts';

it('counts every refusal and logs each reason at most once per minute', async () => {
  const lines: { reason: string; address?: string; msg: string }[] = [];
  const output = new Writable({
    write(chunk, _encoding, done) {
      lines.push(JSON.parse(String(chunk)));
      done();
    },
  });
  const registry = new Registry();
  let now = 0;
  const count = createRefusals(registry, pino(output), () => now);
  for (let i = 0; i < 1_000; i += 1) {
    count('streams');
    count('address_requests', { address: '127.0.0.9' });
    count('malformed');
  }
  expect(lines.map(({ reason }) => reason)).toEqual(['streams', 'address_requests']);
  expect(lines[1]).toMatchObject({ address: '127.0.0.9', msg: expect.stringContaining('TRUST_PROXY') });
  now += 61_000;
  count('streams');
  expect(lines).toHaveLength(3);
  const metrics = await registry.metrics();
  expect(metrics).toContain('fairline_gate_refused_total{reason="streams"} 1001');
  expect(metrics).toContain('fairline_gate_refused_total{reason="malformed"} 1000');
});
