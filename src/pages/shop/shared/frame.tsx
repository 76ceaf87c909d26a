/** The frame of every shop page, and small shared components. */
import type { ComponentChildren } from 'preact';
import { useEffect } from 'preact/hooks';
import { facts } from '../../design/browser.ts';
import { toFooter } from '../../design/footer.ts';
import { LOGO_BOX, LOGO_PATH } from '../../design/logo.ts';
import { languageNames, type VisitorLanguage } from '../../texts/language.ts';
import { common, frame, language, switchLanguage, texts } from './words.ts';

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
          {facts.logo === undefined ? <Logo /> : <img src={facts.logo} alt={common.brand} />}
        </a>
        <nav>
          <a href="/me">{texts.myTickets}</a>
          <LanguageChoice />
        </nav>
      </header>
      <main id="content" tabIndex={-1}>
        {children}
      </main>
      <Footer />
    </>
  );
}

function Logo() {
  return (
    <>
      <svg class="logo-mark" viewBox={LOGO_BOX} aria-hidden="true">
        <rect width="32" height="32" rx="7" />
        <path d={LOGO_PATH} />
      </svg>
      <span>{common.brand}</span>
    </>
  );
}

function LanguageChoice() {
  return (
    <select
      class="language"
      aria-label={texts.language}
      value={language}
      onChange={(event) => switchLanguage(event.currentTarget.value as VisitorLanguage)}
    >
      {Object.entries(languageNames).map(([code, name]) => (
        <option key={code} value={code} lang={code}>
          {name}
        </option>
      ))}
    </select>
  );
}

function Footer() {
  return (
    <footer class="foot">
      <ul>
        {toFooter(facts, language, frame).map(({ text, href }) => (
          <li key={text}>{href === undefined ? text : <a href={href}>{text}</a>}</li>
        ))}
        <li>
          <LanguageChoice />
        </li>
      </ul>
    </footer>
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
