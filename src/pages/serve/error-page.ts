/**
 * Errors as pages: for somebody who follows a link or submits a form in a browser. Decided here and nowhere else; every
 * other caller gets the JSON of error-answer.ts.
 */
import type { IncomingHttpHeaders } from 'node:http';
import type { ErrorPage, ErrorPageRequest } from '../../http/error-answer.ts';
import { toFooter } from '../design/footer.ts';
import { LOGO_BOX, LOGO_PATH } from '../design/logo.ts';
import { type Theme, toStyle } from '../design/theme.ts';
import { fill } from '../texts/language.ts';
import { readBuilt } from './built-file.ts';
import { toIconLink } from './icons.ts';
import { escapeHtml } from './plain-page.ts';
import { originOf, toPolicy } from './policy.ts';
import { textsFor } from './visitor-texts.ts';

export interface ErrorPagesOptions {
  theme: Theme;
  /** Whether this process has pages of events and tickets to link to. */
  hasShop: boolean;
}

/** Below these, also a browser reads data. */
const DATA = /^\/(api|vwr-api|gate|\.well-known|posters)(\/|$)|\/assets\/|\.(json|js|css|ico|svg|png)$/;

export function createErrorPages({ theme, hasShop }: ErrorPagesOptions) {
  const style = toStyle(theme) + readBuilt('error.css');
  const logoOrigin = originOf(theme.logo);
  const policy = toPolicy({ style, hasSheet: false, hasForms: false, images: logoOrigin ? [logoOrigin] : [] });
  return (request: ErrorPageRequest): ErrorPage | undefined => {
    const { status, id, url, headers } = request;
    const kind = kindOf(status);
    if (kind === undefined || !isNavigation(headers) || DATA.test(url.split('?')[0]!)) return undefined;
    const { language, common, frame } = textsFor(headers, theme);
    const links = hasShop
      ? [
          `<a class="button main" href="/">${escapeHtml(frame.toEvents)}</a>`,
          `<a class="button" href="/me">${escapeHtml(frame.toTickets)}</a>`,
        ]
      : [];
    const mark = `<svg class="logo-mark" viewBox="${LOGO_BOX}" aria-hidden="true"><rect width="32" height="32" rx="7"/><path d="${LOGO_PATH}"/></svg>`;
    const brand = escapeHtml(common.brand);
    const footer = toFooter({ organiser: theme.organiser }, language, frame)
      .map(({ text, href }) =>
        href === undefined ? escapeHtml(text) : `<a href="${escapeHtml(href)}">${escapeHtml(text)}</a>`,
      )
      .map((item) => `<li>${item}</li>`);
    const title = escapeHtml(frame[`${kind}Title`]);
    const html =
      `<!doctype html><html lang="${language}"><head><meta charset="utf-8">` +
      '<meta name="viewport" content="width=device-width, initial-scale=1"><meta name="robots" content="noindex">' +
      `<title>${title} · ${brand}</title>${toIconLink(theme.logo)}<style>${style}</style></head><body>` +
      `<header class="error-top"><a class="brand" href="/">${theme.logo === undefined ? `${mark}<span>${brand}</span>` : `<img src="${theme.logo}" alt="${brand}">`}</a></header>` +
      `<main class="error"><p class="error-status" aria-hidden="true">${status}</p><h1>${title}</h1>` +
      `<p class="soft">${escapeHtml(frame[`${kind}Text`])}</p>${links.length === 0 ? '' : `<p class="row">${links.join('')}</p>`}` +
      `${kind === 'failed' ? `<p class="soft error-reference">${escapeHtml(fill(frame.reference, { id }))}</p>` : ''}</main>` +
      `<footer class="foot"><ul>${footer.join('')}</ul></footer></body></html>`;
    return { html, headers: { 'content-security-policy': policy, vary: 'accept, accept-language, cookie' } };
  };
}

type Kind = 'notFound' | 'refused' | 'failed';

/** The errors that somebody meets by an address alone. All others belong to an action, whose page shows them. */
function kindOf(status: number): Kind | undefined {
  if (status === 404) return 'notFound';
  if (status === 400 || status === 405 || status === 414) return 'refused';
  return status >= 500 ? 'failed' : undefined;
}

/** Browsers say `navigate`; a script that reads says `cors` or `same-origin`. Older ones say nothing. */
function isNavigation(headers: IncomingHttpHeaders): boolean {
  const mode = headers['sec-fetch-mode'];
  return String(headers.accept ?? '').includes('text/html') && (mode === undefined || mode === 'navigate');
}
