/** Each recipe sends the paths of the line to Fairline without a check, and everything else to the site with one. */
import { describe, expect, it } from 'vitest';
import { isForLine, lineRules } from '../../src/gate/decision/line-paths.ts';
import { ask } from '../gate/proxy/run-gate.ts';
import { proxyRecipes } from './recipes.ts';
import { startStub } from './stub-server.ts';

/** `/queue/**` stands for `/queue`, `/queue/x` and `/queue/x/y`. */
const samples = lineRules.flatMap(({ path }) => {
  const named = path.replace('{eventId}', 'concert');
  if (!named.endsWith('/**')) return [named];
  const base = named.slice(0, -3);
  return [base, `${base}/concert`, `${base}/assets/page.js?v=1`];
});
const others = [
  '/',
  '/queues',
  '/my/queue/concert',
  '/shop/concert/seats/12?to=/queue/x',
  '/events/concert',
  '/events/concert/seats',
  '/events/concert/tickets/waiting/more',
  '/api/queues/x',
  '/api/rooms/concert',
  '/fairline.js.map',
];

describe.each(proxyRecipes.filter(({ isHere }) => isHere))('$name', ({ start }) => {
  it('routes every path of the line to Fairline, and no other', async () => {
    const asked: string[] = [];
    const fairline = await startNamed('fairline', (url) => asked.push(url));
    const url = await start({ fairline, site: await startNamed('site') });
    asked.length = 0;
    for (const path of samples) expect(`${path} -> ${(await ask(url, path)).text}`).toBe(`${path} -> fairline`);
    expect(asked.filter((path) => path.startsWith('/gate/'))).toEqual([]);
    asked.length = 0;
    for (const path of others) expect(`${path} -> ${(await ask(url, path)).text}`).toBe(`${path} -> site`);
    expect(asked).toEqual(others.map(() => '/gate/verify'));
  });
});

describe('fairline gate', () => {
  it('routes the same paths', () => {
    expect(samples.filter((path) => !isForLine(path))).toEqual([]);
    expect(others.filter(isForLine)).toEqual([]);
  });
});

/** Answers everything with its name, and passes what it is asked about. */
function startNamed(name: string, note: (url: string) => void = () => {}): Promise<string> {
  return startStub((request, response) => {
    note(request.url!);
    response.end(request.url === '/gate/verify' ? '' : name);
  });
}
