/** The frame of every shop page, and small shared components. */
import type { ComponentChildren } from 'preact';
import { useEffect } from 'preact/hooks';
import { facts } from '../../design/browser.ts';
import { common, switchLanguage, texts } from './words.ts';

export function Frame({ title, children }: { title: string; children: ComponentChildren }) {
  useEffect(() => {
    document.title = `${title} · ${common.brand}`;
  }, [title]);
  return (
    <>
      <a class="skip" href="#content">
        {texts.skip}
      </a>
      <header class="top">
        <a class="brand" href="/">
          {facts.logo === undefined ? common.brand : <img src={facts.logo} alt={common.brand} />}
        </a>
        <nav>
          <a href="/me">{texts.myTickets}</a>
          <button type="button" class="plain" onClick={switchLanguage}>
            {common.language}
          </button>
        </nav>
      </header>
      <main id="content" tabIndex={-1}>
        {children}
      </main>
    </>
  );
}

export function Loading() {
  return (
    <p class="loading" role="status">
      {texts.loading}
    </p>
  );
}

export function Notice({ text, tone = 'calm' }: { text: string; tone?: 'calm' | 'warn' }) {
  return (
    <p class={`notice ${tone}`} role="status">
      {text}
    </p>
  );
}

export function Facts({ rows }: { rows: readonly (readonly [label: string, value: string])[] }) {
  return (
    <dl class="facts">
      {rows.map(([label, value]) => (
        <div key={label}>
          <dt>{label}</dt>
          <dd>{value}</dd>
        </div>
      ))}
    </dl>
  );
}
