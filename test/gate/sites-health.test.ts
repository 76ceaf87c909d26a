import { expect, it } from 'vitest';
import { SitesHealth } from '../../src/gate/health/sites-health.ts';

const rooms = (...eventIds: string[]) => eventIds.map((eventId) => ({ eventId, slowMs: 1_000 }));

it('counts a response without an event for the events of its site only', () => {
  const health = new SitesHealth();
  health.of('http://concerts').observe({}, 'concert', 200, 20);
  health.of('http://theatre').observe({}, 'play', 200, 20);
  for (let i = 0; i < 3; i += 1) health.of('http://theatre').observe({}, undefined, 502, 30_000);
  expect(health.take(rooms('concert', 'play'), 0)).toMatchObject([
    { eventId: 'concert', responses: 1, errors: 0 },
    { eventId: 'play', responses: 4, errors: 3 },
  ]);
  health.of('http://theatre').observe({}, undefined, 502, 30_000);
  expect(health.take(rooms('concert', 'play'), 0), 'sites are remembered').toMatchObject([
    { eventId: 'play', responses: 1, errors: 1 },
  ]);
});

it('adds up what several sites say of one event, and of one that none has seen', () => {
  const health = new SitesHealth();
  for (const upstream of ['http://one', 'http://two']) {
    health.of(upstream).observe({}, 'concert', 200, 20);
    health.of(upstream).observe({}, undefined, 503, 20);
  }
  expect(health.take(rooms('concert', 'new'), 0)).toMatchObject([
    { eventId: 'concert', responses: 4, errors: 2 },
    { eventId: 'new', responses: 2, errors: 2 },
  ]);
});

it('counts a request that hangs as slow for the events of its site only', () => {
  const health = new SitesHealth();
  health.of('http://concerts').observe({}, 'concert', 200, 20);
  health.of('http://theatre').observe({}, 'play', 200, 20);
  health.take(rooms('concert', 'play'), 0);
  health.of('http://theatre').begin({}, undefined, 0);
  expect(health.take(rooms('concert', 'play'), 2_000)).toMatchObject([{ eventId: 'play', responses: 1 }]);
});
