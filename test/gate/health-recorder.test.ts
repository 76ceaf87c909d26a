import { expect, it } from 'vitest';
import { HealthRecorder } from '../../src/gate/health/health-recorder.ts';
import { p95Of } from '../../src/line/model/site-health.ts';

it('counts a response for its event, or for all events if it names none', () => {
  const recorder = new HealthRecorder();
  for (let i = 0; i < 10; i += 1) recorder.observe('concert', 200, 20);
  recorder.observe('other', 503, 5_000);
  recorder.observe(undefined, 502, 30_000);
  const reports = recorder.take(['concert', 'third']);
  expect(reports).toMatchObject([
    { eventId: 'concert', responses: 11, errors: 1 },
    { eventId: 'third', responses: 1, errors: 1 },
  ]);
  expect(p95Of(reports[0]!.latencies)).toBeGreaterThan(20_000);
  expect(recorder.take(['concert'])).toEqual([]);
});

it('stays bounded, whatever events it is told', () => {
  const recorder = new HealthRecorder();
  for (let i = 0; i < 5_000; i += 1) recorder.observe(`event-${i}`, 200, 20);
  expect(recorder.take(['event-0', 'event-4999'])).toMatchObject([{ responses: 4_001 }, { responses: 4_000 }]);
});
