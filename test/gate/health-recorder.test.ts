import { expect, it } from 'vitest';
import { HealthRecorder } from '../../src/gate/health/health-recorder.ts';
import { p95Of } from '../../src/line/model/site-health.ts';

const rooms = (...eventIds: string[]) => eventIds.map((eventId) => ({ eventId, slowMs: 1_000 }));

it('counts a response for its event, or for all events if it names none', () => {
  const recorder = new HealthRecorder();
  for (let i = 0; i < 10; i += 1) recorder.observe({}, 'concert', 200, 20);
  recorder.observe({}, 'other', 503, 5_000);
  recorder.observe({}, undefined, 502, 30_000);
  const reports = recorder.take(rooms('concert', 'third'), 0);
  expect(reports).toMatchObject([
    { eventId: 'concert', responses: 11, errors: 1 },
    { eventId: 'third', responses: 1, errors: 1 },
  ]);
  expect(p95Of(reports[0]!.latencies)).toBeGreaterThan(20_000);
  expect(recorder.take(rooms('concert'), 0)).toEqual([]);
});

it('stays bounded, whatever events it is told', () => {
  const recorder = new HealthRecorder();
  for (let i = 0; i < 5_000; i += 1) recorder.observe({}, `event-${i}`, 200, 20);
  expect(recorder.take(rooms('event-0', 'event-4999'), 0)).toMatchObject([{ responses: 4_001 }, { responses: 4_000 }]);
});

it('counts a request once as slow before its response, and not if the visitor has left', () => {
  const recorder = new HealthRecorder();
  const [hanging, failing, left, shared] = [{}, {}, {}, {}];
  for (const key of [hanging, failing, left]) recorder.begin(key, 'concert', 0);
  recorder.begin(shared, undefined, 0);
  recorder.forget(left);
  expect(recorder.take(rooms('concert'), 1_000), 'not slow yet').toEqual([]);
  const [slow] = recorder.take(rooms('concert'), 2_000);
  expect(slow).toMatchObject({ responses: 3, errors: 0 });
  expect(p95Of(slow!.latencies)).toBeGreaterThan(1_000);
  recorder.observe(hanging, 'concert', 200, 3_000);
  recorder.observe(failing, 'concert', 504, 3_000);
  expect(recorder.take(rooms('concert'), 9_000)).toMatchObject([{ responses: 1, errors: 1 }]);
  const twoRooms = [...rooms('concert'), { eventId: 'other', slowMs: 60_000 }];
  recorder.begin({}, undefined, 9_000);
  expect(recorder.take(twoRooms, 20_000), 'of any event: not before it is slow for all').toEqual([]);
});
