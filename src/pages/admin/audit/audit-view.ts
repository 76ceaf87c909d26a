/** The latest entries of the audit trail. */

import { fill } from '../../texts/language.ts';
import type { AuditChain, AuditEntry } from '../api/wire.ts';
import { type Desk, refusalText, type View } from '../controls/desk.ts';
import { el, fillWith } from '../controls/dom.ts';
import { type Panel, section } from '../controls/panel.ts';

const EVERY_MS = 5_000;
const CHAIN = '/api/admin/audit/chain';

export function auditView(desk: Desk): View {
  const { root, close } = auditPanel(desk);
  root.querySelector('h2')!.replaceWith(el('h1', { id: 'audit-title', textContent: desk.texts.audit }));
  root.querySelector('h1')!.after(chainNote(desk));
  return { title: desk.texts.audit, root: el('div', { className: 'view' }, root), close: close! };
}

/** Whether the hash chain holds, and its head. Checked when the view opens. */
function chainNote({ api, texts }: Desk): HTMLElement {
  const verdict = el('p', { id: 'audit-chain', className: 'about', textContent: texts.loading });
  const head = el('p', { id: 'audit-head', className: 'about', hidden: true });
  void api.get<AuditChain>(CHAIN).then((answer) => {
    if (!answer.ok) return verdict.replaceChildren(refusalText({ texts }, answer));
    const { holds, entries, brokenAt = 0, head: last } = answer.body;
    verdict.className = holds ? 'about' : 'problem';
    verdict.textContent = holds ? fill(texts.auditHolds, { entries }) : fill(texts.auditBroken, { number: brokenAt });
    head.hidden = last === undefined;
    head.textContent = fill(texts.auditHead, { head: last ?? '' });
  });
  return el('div', {}, verdict, head);
}

/** `eventId`: only entries of that event. */
export function auditPanel(desk: Desk, eventId?: string): Panel {
  const { texts, api, language } = desk;
  const rows = el('tbody');
  const head = [
    texts.auditAt,
    texts.auditAction,
    ...(eventId === undefined ? [texts.auditEvent] : []),
    texts.auditBy,
    texts.auditFrom,
    texts.auditDetails,
  ];
  const note = el('p', { className: 'about', textContent: texts.loading });
  const table = el(
    'div',
    { className: 'scroll', tabIndex: 0, hidden: true, attributes: { role: 'group', 'aria-label': texts.audit } },
    el(
      'table',
      { className: 'audit' },
      el('thead', {}, el('tr', {}, ...head.map((textContent) => el('th', { scope: 'col', textContent })))),
      rows,
    ),
  );
  const address = eventId === undefined ? '/api/admin/audit?limit=200' : `/api/admin/audit?eventId=${eventId}&limit=20`;
  let timer: number | undefined;
  let isClosed = false;

  async function load(): Promise<void> {
    const answer = await api.get<AuditEntry[]>(address);
    if (isClosed) return;
    if (answer.ok) show(answer.body);
    else note.textContent = refusalText(desk, answer);
    timer = window.setTimeout(load, EVERY_MS);
  }

  function show(entries: AuditEntry[]): void {
    note.textContent = entries.length === 0 ? texts.auditEmpty : texts.auditAbout;
    table.hidden = entries.length === 0;
    const newest = `${entries.length} ${entries[0]?.at}`;
    if (rows.dataset.shown === newest) return;
    rows.dataset.shown = newest;
    fillWith(rows, ...entries.map(toRow));
  }

  function toRow(entry: AuditEntry): HTMLElement {
    const at = new Date(entry.at).toLocaleString(language, { dateStyle: 'short', timeStyle: 'medium' });
    const hasRoom = desk.overview()?.rooms.some((room) => room.eventId === entry.eventId) ?? false;
    const link = el('a', { href: `#/rooms/${entry.eventId}`, textContent: entry.eventId ?? '' });
    return el(
      'tr',
      {},
      el('td', { className: 'nowrap', textContent: at }),
      el('td', { textContent: entry.action }),
      eventId === undefined && el('td', {}, hasRoom ? link : entry.eventId),
      el('td', { textContent: nameOf(entry.by) }),
      el('td', { textContent: entry.from }),
      el('td', {}, el('code', { textContent: JSON.stringify(entry.details) })),
    );
  }

  function nameOf(by: string | undefined): string {
    const special: Record<string, string> = {
      token: texts.auditByToken,
      unknown: texts.auditByUnknown,
      system: texts.auditBySystem,
    };
    return special[by ?? ''] ?? by ?? '';
  }

  const root = section('audit', texts.audit, note, table);
  root.classList.add('wide');
  void load();
  return {
    root,
    close() {
      isClosed = true;
      clearTimeout(timer);
    },
  };
}
