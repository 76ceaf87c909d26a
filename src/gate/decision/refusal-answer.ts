/** Renders a refusal as an HTTP response. */
import { type ErrorCode, errorKinds } from '../../http/errors.ts';
import type { Refusal } from './decision.ts';

export interface RefusalAnswer {
  status: number;
  headers: Record<string, string>;
  body: string;
}

const COMMON = {
  'cache-control': 'no-store',
  'x-content-type-options': 'nosniff',
  'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
  'referrer-policy': 'same-origin',
};
const HTML = 'text/html; charset=utf-8';

/** `traceId`: of adapters that have one. */
export function toAnswer(refusal: Refusal, traceId?: string): RefusalAnswer {
  if (refusal.outcome === 'redirect') {
    return { status: 302, headers: { ...COMMON, location: refusal.to, 'content-length': '0' }, body: '' };
  }
  if (refusal.page !== undefined) return toErrorPage(503, refusal.page.languages, 'line');
  return toErrorAnswer(refusal.status, refusal.code, { ...refusal, ...(traceId === undefined ? {} : { traceId }) });
}

export interface ErrorDetails {
  message?: string;
  redirectTo?: string;
  traceId?: string;
  retryAfterSeconds?: number;
}

export function toErrorAnswer(
  status: number,
  code: ErrorCode,
  { message = errorKinds[code].message, redirectTo, traceId, retryAfterSeconds }: ErrorDetails = {},
): RefusalAnswer {
  const error = { code, message, ...(traceId === undefined ? {} : { trace_id: traceId }) };
  const body = JSON.stringify({ error, message, ...(redirectTo === undefined ? {} : { redirectTo }) });
  const answer = withBody(status, 'application/json; charset=utf-8', body);
  if (traceId !== undefined) answer.headers['x-request-id'] = traceId;
  if (retryAfterSeconds !== undefined) answer.headers['retry-after'] = String(retryAfterSeconds);
  return answer;
}

/** An HTML page in both languages, the preferred one first. `languages`: the Accept-Language header. `about`: what is away. */
export function toErrorPage(
  status: 502 | 503 | 504,
  languages: string | undefined,
  about: keyof typeof words = 'site',
): RefusalAnswer {
  const order = prefersKorean(languages) ? (['ko', 'en'] as const) : (['en', 'ko'] as const);
  const parts = order.map((language) => {
    const { title, text } = words[about][language];
    return `<section lang="${language}"><h1>${title}</h1><p>${text}</p></section>`;
  });
  const head = `<meta charset="utf-8"><meta name="viewport" content="width=device-width"><meta http-equiv="refresh" content="10"><title>${status}</title>`;
  const page = `<!doctype html><html lang="${order[0]}"><head>${head}</head><body>${parts.join('')}</body></html>\n`;
  const answer = withBody(status, HTML, page);
  return { ...answer, headers: { ...answer.headers, 'retry-after': '10' } };
}

const words = {
  site: {
    ko: {
      title: '잠시 후 다시 시도해 주세요',
      text: '사이트가 지금 응답하지 않습니다. 순서는 그대로 유지되며, 이 페이지는 10초 후 자동으로 다시 시도합니다.',
    },
    en: {
      title: 'Please try again in a moment',
      text: 'The site is not responding. Your place is safe. This page retries automatically in 10 seconds.',
    },
  },
  line: {
    ko: {
      title: '지금은 입장할 수 없습니다',
      text: '대기실에 연결할 수 없어 새로 입장할 수 없습니다. 이미 대기 중이었다면 순번은 그대로 유지됩니다. 이 페이지는 10초 후 자동으로 다시 시도합니다.',
    },
    en: {
      title: 'You cannot enter right now',
      text: 'The waiting room cannot be reached, so nobody new can enter. If you were already waiting, your place is safe. This page retries automatically in 10 seconds.',
    },
  },
};

function prefersKorean(languages = ''): boolean {
  const [first = ''] = languages.split(',');
  return first.trim().toLowerCase().startsWith('ko');
}

function withBody(status: number, type: string, body: string): RefusalAnswer {
  const length = String(new TextEncoder().encode(body).length);
  return { status, headers: { ...COMMON, 'content-type': type, 'content-length': length }, body };
}
