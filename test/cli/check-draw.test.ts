import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { runVerifyDraw } from '../../src/cli/check-draw.ts';
import { runApp } from '../support/running-app.ts';
import { tempFolder } from '../support/temp-folder.ts';
import { until } from '../support/until.ts';

async function run(...args: string[]) {
  const lines: string[] = [];
  const add = (line: string) => lines.push(line);
  const code = await runVerifyDraw(args, { print: add, fail: add });
  return { code, text: lines.join('\n') };
}

/** A running server that has completed a small draw. */
async function runDraw() {
  const { url, context } = await runApp({
    room: { order: 'draw', opensAt: new Date(Date.now() + 600_000).toISOString(), maxActive: 0 },
  });
  for (const visitor of ['a', 'b', 'c', 'd']) await context.line.visits.join('concert', visitor);
  const early = await run(url, 'concert');
  await context.line.rooms.putRoom('concert', { opensAt: new Date().toISOString() });
  const draw = await until('the draw', async () => {
    const answer = (await (await fetch(`${url}/api/rooms/concert/draw`)).json()) as Record<string, string>;
    return answer.state === 'drawn' && answer;
  });
  const list = await (await fetch(url + draw.entriesUrl)).text();
  const found = await context.line.visits.find('concert', 'b');
  const standing = found.outcome === 'found' && found.standing.state === 'waiting' ? found.standing : undefined;
  return { url, draw, list, early, standing: standing! };
}

function save(draw: object, list: string): [string, string] {
  const dir = tempFolder();
  const paths: [string, string] = [join(dir, 'draw.json'), join(dir, 'entries.txt')];
  writeFileSync(paths[0], JSON.stringify(draw));
  writeFileSync(paths[1], list);
  return paths;
}

describe('fairline verify-draw', () => {
  it('verifies a draw and the number of a lot on a server, and prints the commitment before the draw', async () => {
    const { url, draw, early, standing } = await runDraw();
    expect(early).toMatchObject({ code: 2, text: expect.stringContaining(`its commitment is ${draw.commitment}`) });
    const { lot, number } = standing;
    const args = ['--lot', lot!.toUpperCase(), '--number', String(number), '--commitment', draw.commitment!];
    const right = await run(url, 'concert', ...args);
    expect(right.code).toBe(0);
    expect(right.text).toContain(`lot ${lot} drew number ${number}`);
    expect(right.text).toContain('The draw is correct: 4 visitors took part.');
    const wrong = await run(url, 'concert', '--lot', lot!, '--number', String(number + 1));
    expect(wrong).toMatchObject({ code: 1, text: expect.stringContaining(`it drew ${number}`) });
  });

  it('detects another seed, list or commitment, and names the failed check', async () => {
    const { draw, list } = await runDraw();
    const other = 'ab'.repeat(32);
    expect((await run(...save(draw, list))).code).toBe(0);
    const cases: [object, string, string[], RegExp][] = [
      [{ ...draw, seed: other }, list, [], /WRONG {3}the seed matches the commitment/],
      [{ ...draw, listHash: other }, list, [], /WRONG {3}the list matches its hash/],
      [draw, list.slice(33), [], /WRONG {3}the list has as many lots/],
      [draw, `${list}hello\n`, [], /WRONG {3}every line of the list is a lot/],
      [draw, list + list.slice(0, 33), [], /WRONG {3}no lot is on the list twice/],
      [draw, list, ['--commitment', other], /WRONG {3}the commitment is the one noted before/],
      [draw, list, ['--lot', 'f'.repeat(32)], /it is not on the list/],
    ];
    for (const [changed, text, options, message] of cases) {
      const result = await run(...save(changed, text), ...options);
      expect(result).toMatchObject({ code: 1, text: expect.stringMatching(message) });
      expect(result.text).toContain('The draw is NOT correct.');
    }
  });

  it('explains why a draw cannot be checked', async () => {
    expect(await run('one')).toMatchObject({ code: 2, text: expect.stringContaining('Usage: fairline verify-draw') });
    expect(await run('--oops', 'a', 'b')).toMatchObject({ code: 2, text: expect.stringContaining('--oops') });
    expect(await run('/no/such', '/file')).toMatchObject({ code: 2, text: expect.stringContaining('cannot be read') });
    expect(await run('http://127.0.0.1:1', 'concert')).toMatchObject({
      code: 2,
      text: expect.stringContaining('reached'),
    });
    expect(await run(...save({ seed: 'x' }, ''))).toMatchObject({
      code: 2,
      text: expect.stringContaining('malformed'),
    });
  });
});
