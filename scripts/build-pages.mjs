/**
 * Builds the pages into dist/pages: for each its script, its style sheet and its HTML. The server puts them together with
 * the theme when it starts.
 */
import { copyFileSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { build } from 'vite';
import { root } from './set-up.mjs';

const sources = join(root, 'src/pages');
const out = join(root, 'dist/pages');

const pages = {
  queue: { entry: 'waiting/line/queue.ts', html: 'waiting/waiting.html', noscript: noscriptOf('plain') },
  vwr: { entry: 'waiting/tier1/vwr.ts', html: 'waiting/waiting.html', noscript: noscriptOf('form') },
  shop: { entry: 'shop/main.tsx', html: 'shop/shop.html' },
  admin: { entry: 'admin/main.ts', html: 'admin/admin.html' },
};

rmSync(out, { recursive: true, force: true });
mkdirSync(out, { recursive: true });
for (const [name, { entry, html, noscript = {} }] of Object.entries(pages)) {
  await bundle(name, entry);
  const text = readFileSync(join(sources, html), 'utf8')
    .replace('<!--noscript-->', noscript.head ?? '')
    .replace('<!--noscript-body-->', noscript.body ?? '');
  writeFileSync(join(out, `${name}.html`), text);
}
// Visitors read the script of the draw page, so it is served as written.
for (const file of ['draw.html', 'draw.js', 'draw.css']) copyFileSync(join(sources, 'draw', file), join(out, file));

async function bundle(name, entry) {
  await build({
    root: sources,
    configFile: false,
    logLevel: 'error',
    build: {
      outDir: out,
      emptyOutDir: false,
      assetsDir: '',
      target: 'es2022',
      modulePreload: false,
      cssCodeSplit: false,
      rollupOptions: {
        input: { [name]: join(sources, entry) },
        output: { entryFileNames: '[name].js', assetFileNames: `${name}[extname]`, codeSplitting: false },
      },
    },
  });
}

/** Without JavaScript the line has a page of its own; tier 1 has a form, because its page may be anybody's cache's. */
function noscriptOf(kind) {
  if (kind === 'plain') return { head: '<noscript><meta http-equiv="refresh" content="0;url=?plain=1"></noscript>' };
  return {
    body: `<noscript>
<p lang="ko">번호를 받으면 차례가 될 때까지 페이지가 스스로 새로고침됩니다.</p>
<p lang="en">Once you have a number, the page reloads by itself until it is your turn.</p>
<form method="post"><button type="submit">번호 받기 · Take a number</button></form>
</noscript>`,
  };
}
