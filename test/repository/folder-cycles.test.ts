import { describe, expect, it } from 'vitest';
import { findFolderCycles } from './folder-cycles.ts';
import { toSource } from './sources.ts';

const sourcesOf = (files: Record<string, string>) => Object.entries(files).map(([path, text]) => toSource(path, text));

describe('findFolderCycles', () => {
  it('passes a tree without cycles', () => {
    const sources = sourcesOf({
      'src/main.ts': "import { shop } from './shop/shop.ts';\n",
      'src/shop/shop.ts': "import { hold } from './rules/hold.ts';\nimport { clock } from '../platform/clock.ts';\n",
      'src/shop/rules/hold.ts': "import type { Clock } from '../../platform/clock.ts';\n",
      'src/platform/clock.ts': "import { hrtime } from 'node:process';\n",
    });
    expect(findFolderCycles(sources)).toEqual([]);
  });

  it('reports a cycle between two folders with the imports that form it', () => {
    const sources = sourcesOf({
      'src/shop/hold.ts': "import { join } from '../line/join.ts';\n",
      'src/line/join.ts': '',
      'src/line/stock.ts': "import type { Stock } from '../shop/stock.ts';\n",
      'src/shop/stock.ts': '',
    });
    expect(findFolderCycles(sources)).toEqual([
      'src: shop (src/shop/hold.ts imports src/line/join.ts) -> line (src/line/stock.ts imports src/shop/stock.ts) -> shop',
    ]);
  });

  it('reports a cycle over three folders', () => {
    const sources = sourcesOf({
      'src/a/a.ts': "import '../b/b.ts';\n",
      'src/b/b.ts': "export { c } from '../c/c.ts';\n",
      'src/c/c.ts': "const a = await import('../a/other.ts');\n",
      'src/a/other.ts': '',
    });
    expect(findFolderCycles(sources)).toEqual([expect.stringMatching(/^src: a .*-> b .*-> c .*-> a$/)]);
  });

  it('reports a cycle below the top level', () => {
    const sources = sourcesOf({
      'src/line/store/store.ts': "import { tick } from '../rules/tick.ts';\n",
      'src/line/rules/tick.ts': "import type { Store } from '../store/store.ts';\n",
    });
    expect(findFolderCycles(sources)).toEqual([expect.stringMatching(/^src\/line: store .*-> rules .*-> store$/)]);
  });

  it('counts the loose files of a folder as one node', () => {
    const sources = sourcesOf({
      'src/gate/guard.ts': "import { decide } from './decision/decide.ts';\n",
      'src/gate/decision/decide.ts': "import { rules } from '../rules.ts';\n",
      'src/gate/rules.ts': '',
    });
    expect(findFolderCycles(sources)).toEqual([expect.stringMatching(/^src\/gate: \. .*-> decision .*-> \.$/)]);
  });

  it('sees the imports of .tsx files', () => {
    const sources = sourcesOf({
      'src/pages/seat.tsx': "import {\n  type Seat,\n  seatOf,\n} from '../shop/seat.ts';\n",
      'src/shop/seat.ts': "import { page } from '../pages/page.tsx';\n",
      'src/pages/page.tsx': '',
    });
    expect(findFolderCycles(sources)).toEqual([expect.stringMatching(/^src: pages .*-> shop .*-> pages$/)]);
  });
});
