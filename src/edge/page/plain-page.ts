/** The page for browsers without JavaScript: it reloads itself until it is the visitor's turn. */
import type { Turn } from '../waiting-room.ts';

export type PlainView = { turn: Turn } | { retrySeconds: number };

export const PLAIN_STYLE =
  'body{font:1.1rem/1.6 system-ui,sans-serif;max-width:26rem;margin:15vh auto;padding:0 1rem;text-align:center;' +
  'color-scheme:light dark}strong{display:block;font-size:3.5rem;line-height:1.2}';

/** Slower than the page with JavaScript asks: each reload is a whole page. */
const SLOWEST_FACTOR = 2;

const words = {
  ko: {
    title: '대기실',
    number: '내 번호',
    ahead: (count: number) => `내 앞에 ${count.toLocaleString('ko')}명이 있습니다.`,
    stay: '이 페이지는 스스로 새로고침되며, 차례가 되면 자동으로 이동합니다.',
    busy: (seconds: number) => `요청이 많습니다. ${seconds}초 후에 자동으로 다시 시도합니다.`,
  },
  en: {
    title: 'Waiting room',
    number: 'Your number',
    ahead: (count: number) => `${count.toLocaleString('en')} people are ahead of you.`,
    stay: 'This page reloads by itself and takes you on when it is your turn.',
    busy: (seconds: number) => `Many are asking right now. Trying again by itself in ${seconds} s.`,
  },
};

/** Nothing in it comes from the request but numbers. */
export function toPlainPage(view: PlainView, language: 'ko' | 'en'): string {
  const text = words[language];
  const seconds = 'turn' in view ? view.turn.nextPoll * SLOWEST_FACTOR : view.retrySeconds;
  const content =
    'turn' in view
      ? `<p>${text.number}<strong>${view.turn.position.toLocaleString(language)}</strong></p>` +
        `<p>${text.ahead(Math.max(0, view.turn.position - view.turn.servingCounter - 1))}</p><p>${text.stay}</p>`
      : `<p>${text.busy(view.retrySeconds)}</p>`;
  return (
    `<!doctype html><html lang="${language}"><head><meta charset="utf-8">` +
    '<meta name="viewport" content="width=device-width, initial-scale=1"><meta name="robots" content="noindex">' +
    `<meta http-equiv="refresh" content="${seconds}"><title>${text.title}</title><style>${PLAIN_STYLE}</style></head>` +
    `<body><h1>${text.title}</h1>${content}</body></html>`
  );
}

/** The first language that is asked for and spoken. */
export function languageOf(acceptLanguage: string | undefined): 'ko' | 'en' {
  const asked = (acceptLanguage ?? '').toLowerCase().match(/\b(?:ko|en)\b/);
  return asked?.[0] === 'ko' ? 'ko' : 'en';
}
