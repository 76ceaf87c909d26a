/**
 * Builds the pages into dist/pages: for each a script, a style sheet and an HTML file. The server assembles them with the
 * theme at startup.
 */
import { createHash } from 'node:crypto';
import { copyFileSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { build } from 'vite';
import { root } from './set-up.mjs';

const sources = join(root, 'src/pages');
const out = join(root, 'dist/pages');

const pages = {
  queue: { entry: 'waiting/line/queue.ts', html: 'waiting/waiting.html', noscript: noscriptOf('plain') },
  vwr: { entry: 'waiting/tier1/vwr.ts', html: 'waiting/waiting.html', noscript: noscriptOf('form') },
  pass: { entry: 'waiting/pass/pass.ts', html: 'waiting/waiting.html' },
  shop: { entry: 'shop/main.tsx', html: 'shop/shop.html' },
  admin: { entry: 'admin/main.ts', html: 'admin/admin.html' },
};

/** Files that pages import while they run. */
const languages = ['ko', 'en', 'ja', 'zh-Hans'];
const MODULES = new Set([...languages.map((language) => `texts-${language}`), 'find-proof']);
let textsVersion;
rmSync(out, { recursive: true, force: true });
mkdirSync(out, { recursive: true });
// Before the pages, which name the version of their texts.
for (const language of languages) await bundle(`texts-${language}`, `waiting/texts-${language.toLowerCase()}.ts`);
textsVersion = hashOf(languages.map((language) => `texts-${language}.js`));
for (const [name, { entry, html, noscript = {} }] of Object.entries(pages)) {
  await bundle(name, entry);
  const text = readFileSync(join(sources, html), 'utf8')
    .replace('<!--noscript-->', noscript.head ?? '')
    .replace('<!--noscript-body-->', noscript.body ?? '');
  writeFileSync(join(out, `${name}.html`), text);
}
// Only the styles: these pages have no script.
await bundle('error', 'error/error.js');
await bundle('design', 'design-page/design.js');
copyFileSync(join(sources, 'design/favicon.ico'), join(out, 'favicon.ico'));
// The worker of the waiting pages, and the same for browsers in which it does not start.
await bundle('proof', 'waiting/proof/proof-worker.ts');
await bundle('find-proof', 'waiting/proof/find-proof.ts');
// A plain script, not a module: sites load it with an ordinary script element.
await bundle('fairline', 'embed/fairline.ts', 'iife');
// Visitors read the script of the draw page, so it is served as written.
for (const file of ['draw.html', 'draw.js']) copyFileSync(join(sources, 'draw', file), join(out, file));
const sheets = ['design/tokens.css', 'design/base.css', 'draw/draw.css'].map((file) =>
  readFileSync(join(sources, file), 'utf8'),
);
writeFileSync(join(out, 'draw.css'), sheets.join('\n').replace('@import "./tokens.css";', ''));

function hashOf(files) {
  const hash = createHash('sha256');
  for (const file of files) hash.update(readFileSync(join(out, file)));
  return hash.digest('base64url').slice(0, 12);
}

async function bundle(name, entry, format = 'es') {
  await build({
    root: sources,
    configFile: false,
    logLevel: 'error',
    define: { TEXTS_VERSION: JSON.stringify(textsVersion ?? '') },
    build: {
      outDir: out,
      emptyOutDir: false,
      assetsDir: '',
      target: 'es2022',
      modulePreload: false,
      cssCodeSplit: false,
      rollupOptions: {
        input: { [name]: join(sources, entry) },
        preserveEntrySignatures: MODULES.has(name) ? 'strict' : false,
        output: { format, entryFileNames: '[name].js', assetFileNames: `${name}[extname]`, codeSplitting: false },
      },
    },
  });
}

/** Without JavaScript the line redirects to its plain page; tier 1 shows a form, because a CDN may serve its page. */
function noscriptOf(kind) {
  if (kind === 'plain') return { head: '<noscript><meta http-equiv="refresh" content="0;url=?plain=1"></noscript>' };
  return {
    body: `<noscript>
<p lang="ko">대기 순번을 받으면 순서가 될 때까지 페이지가 자동으로 새로고침됩니다.</p>
<p lang="en">Once you have a number, this page reloads automatically until it is your turn.</p>
<form method="post"><button type="submit">대기 순번 받기 · Get a number</button></form>
</noscript>`,
  };
}
