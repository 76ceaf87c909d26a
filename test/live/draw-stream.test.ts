import { expect, it } from 'vitest';
import { openStream } from '../support/event-stream.ts';
import { runApp } from '../support/running-app.ts';
import { until } from '../support/until.ts';

it('a stream sends the lobby, then the drawn number, then the admission', async () => {
  const opensAt = new Date(Date.now() + 600_000).toISOString();
  const { url, context } = await runApp({ room: { order: 'draw', opensAt, maxActive: 0 } });
  const path = `${url}/events/concert/tickets/waiting`;
  const streams = [await openStream(path), await openStream(path), await openStream(path)];
  const lots: string[] = [];
  for (const stream of streams) {
    const { data } = await stream.waitFor('position');
    expect(data).toMatchObject({ estimatedWait: null, waitReason: 'draw' });
    expect(data).not.toHaveProperty('number');
    lots.push(data.drawLot);
  }
  await context.line.rooms.putRoom('concert', { opensAt: new Date().toISOString() });
  const numbers: number[] = [];
  for (const [index, stream] of streams.entries()) {
    const event = await until('the number', () => stream.events.find(({ data }) => data.number !== undefined));
    expect(event.data).toMatchObject({ drawLot: lots[index], position: event.data.number });
    numbers.push(event.data.number);
  }
  expect(numbers.sort()).toEqual([1, 2, 3]);
  await context.line.rooms.putRoom('concert', { maxActive: 3 });
  for (const stream of streams) await stream.waitFor('admitted');
});
