/** Setting up a second factor: the key as QR code and text, the first code, the recovery codes. */
import type { Answer } from '../api/api.ts';
import type { Enrolment } from '../api/wire.ts';
import { type Desk, refusalText } from '../controls/desk.ts';
import { draw, el, fillWith } from '../controls/dom.ts';
import { codeField } from './code-view.ts';
import { problemOf } from './sign-in-view.ts';

export const FACTOR = '/api/admin/second-factor';

/** `onDone`: the recovery codes were shown. */
export function enrolPanel(desk: Desk, onDone: () => void): HTMLElement {
  const { texts, api } = desk;
  const root = el('div', { className: 'enrol' }, el('p', { className: 'about', textContent: texts.loading }));
  void api.post<Enrolment>(FACTOR).then((answer) => {
    if (answer.ok) fillWith(root, ...showKey(answer.body));
    else fillWith(root, el('p', { className: 'problem', textContent: refusalText(desk, answer) }));
  });

  function showKey({ secret, uri, qr }: Enrolment): HTMLElement[] {
    const code = codeField(desk, texts.firstCodeAbout);
    const button = el('button', { type: 'submit', className: 'main', textContent: texts.continue });
    const form = el('form', { id: 'confirm-factor', noValidate: true });
    form.append(code.root, el('div', { className: 'actions' }, button));
    form.addEventListener('submit', async (event) => {
      event.preventDefault();
      button.disabled = true;
      const answer: Answer<{ recoveryCodes: string[] }> = await api.post(`${FACTOR}/confirm`, {
        code: code.input.value.trim(),
      });
      button.disabled = false;
      if (answer.ok) return fillWith(root, ...showRecoveryCodes(answer.body.recoveryCodes));
      code.setProblem(problemOf(answer, texts.wrongCode, texts));
      code.input.focus();
    });
    return [
      el('p', { className: 'about', textContent: texts.factorScan }),
      el('div', { className: 'qr' }, drawQr(qr, texts.factorQr)),
      el('p', {}, `${texts.factorKey}: `, el('code', { id: 'factor-key', textContent: inGroups(secret) })),
      el('p', {}, el('a', { href: uri, textContent: texts.factorOpen })),
      form,
    ];
  }

  function showRecoveryCodes(codes: readonly string[]): HTMLElement[] {
    const stored = el('button', {
      id: 'recovery-stored',
      type: 'button',
      className: 'main',
      textContent: texts.recoveryStored,
      onclick: onDone,
    });
    return [
      el('h2', { textContent: texts.recoveryTitle }),
      el('p', { className: 'about', textContent: texts.recoveryAbout }),
      el(
        'ul',
        { id: 'recovery-codes', className: 'codes' },
        ...codes.map((text) => el('li', {}, el('code', { textContent: text }))),
      ),
      el('div', { className: 'actions' }, stored),
    ];
  }
  return root;
}

/** One path for all dark modules, on white in both colour schemes: cameras need the contrast. */
function drawQr(rows: readonly string[], label: string): SVGElement {
  const size = rows.length;
  const path = rows
    .flatMap((row, y) => [...row].map((module, x) => (module === '1' ? `M${x} ${y}h1v1h-1z` : '')))
    .join('');
  return draw(
    'svg',
    { viewBox: `0 0 ${size} ${size}`, role: 'img', 'aria-label': label, 'shape-rendering': 'crispEdges' },
    draw('rect', { width: size, height: size, fill: '#fff' }),
    draw('path', { d: path, fill: '#000' }),
  );
}

function inGroups(secret: string): string {
  return secret.match(/.{1,4}/g)?.join(' ') ?? secret;
}
