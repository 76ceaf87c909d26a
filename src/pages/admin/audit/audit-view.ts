/** The latest entries of the audit trail, as sentences. */
import { fill } from '../../texts/language.ts';
import type { AuditChain, AuditEntry } from '../api/wire.ts';
import { type Desk, refusalText, type View } from '../controls/desk.ts';
import { el, fillWith, setText } from '../controls/dom.ts';
import { type Panel, section } from '../controls/panel.ts';
import { type AuditFilter, auditFilter } from './audit-filter.ts';
import { toSentence } from './audit-sentence.ts';
import { timeAgo } from './time-ago.ts';

const EVERY_MS = 5_000;
const CHAIN = '/api/admin/audit/chain';

export function auditView(desk: Desk): View {
  const { root, close } = auditPanel(desk);
  root.querySelector('h2')!.replaceWith(el('h1', { id: 'audit-title', textContent: desk.texts.audit }));
  root.append(chainNote(desk));
  return { title: desk.texts.audit, root: el('div', { className: 'view' }, root), close: close! };
}

/** Whether the hash chain holds, and its head. Checked when the view opens. */
function chainNote({ api, texts }: Desk): HTMLElement {
  const verdict = el('p', { id: 'audit-chain', textContent: texts.loading });
  const head = el('p', { id: 'audit-head', className: 'about', hidden: true });
  const root = el('div', { className: 'banner' }, el('div', {}, verdict, head));
  void api.get<AuditChain>(CHAIN).then((answer) => {
    if (!answer.ok) return verdict.replaceChildren(refusalText({ texts }, answer));
    const { holds, entries, brokenAt = 0, head: last } = answer.body;
    root.className = holds ? 'banner success' : 'banner danger';
    verdict.textContent = holds ? fill(texts.auditHolds, { entries }) : fill(texts.auditBroken, { number: brokenAt });
    head.hidden = last === undefined;
    head.textContent = fill(texts.auditHead, { head: last ?? '' });
  });
  return root;
}

/** `eventId`: only entries of that event. `onEntries` is called with each list that was loaded. */
export function auditPanel(desk: Desk, eventId?: string, onEntries?: (entries: readonly AuditEntry[]) => void): Panel {
  const { texts, api } = desk;
  const list = el('ol', { className: 'audit-list', hidden: true });
  const note = el('p', { className: 'about', textContent: texts.loading });
  const filter =
    eventId === undefined
      ? auditFilter(
          desk,
          (by) => nameOf(by, texts),
          () => void load(),
        )
      : undefined;
  let timer: number | undefined;
  let requests = 0;

  async function load(): Promise<void> {
    clearTimeout(timer);
    requests += 1;
    const request = requests;
    const answer = await api.get<AuditEntry[]>(`/api/admin/audit?${queryOf(filter)}`);
    if (request !== requests) return;
    if (answer.ok) show(answer.body);
    else setText(note, refusalText(desk, answer));
    timer = window.setTimeout(load, EVERY_MS);
  }

  function queryOf(chosen: AuditFilter | undefined): string {
    return chosen?.query(Date.now()) ?? `eventId=${eventId}&limit=100`;
  }

  function show(entries: AuditEntry[]): void {
    filter?.learn(entries);
    onEntries?.(entries);
    const shown = eventId === undefined ? entries : entries.slice(0, 20);
    const isFiltered = isChosen(filter);
    setText(note, shown.length > 0 ? texts.auditAbout : isFiltered ? texts.auditNoMatch : texts.auditEmpty);
    list.hidden = shown.length === 0;
    const newest = `${shown.length} ${shown[0]?.at} ${queryOf(filter)?.replace(/since=[^&]*/, '')}`;
    if (list.dataset.shown === newest) {
      tellTimes();
      return;
    }
    list.dataset.shown = newest;
    fillWith(list, ...shown.map((entry) => toRow(entry, desk, eventId === undefined)));
  }

  function tellTimes(): void {
    for (const time of list.querySelectorAll('time')) setText(time, timeAgo(time.dateTime, Date.now(), desk));
  }

  const root = section('audit', texts.audit, filter?.root, note, list);
  void load();
  return {
    root,
    close() {
      requests += 1;
      clearTimeout(timer);
    },
  };
}

/** `hasEvent`: whether the row names the event. */
function toRow(entry: AuditEntry, desk: Desk, hasEvent: boolean): HTMLElement {
  const { texts } = desk;
  const hasRoom = desk.overview()?.rooms.some((room) => room.eventId === entry.eventId) ?? false;
  const link = el('a', { href: `#/rooms/${entry.eventId}`, textContent: entry.eventId ?? '' });
  const at = new Date(entry.at).toLocaleString(desk.language, { dateStyle: 'medium', timeStyle: 'medium' });
  return el(
    'li',
    {},
    el('p', { className: 'audit-what', textContent: toSentence(entry, desk) }),
    el(
      'p',
      { className: 'audit-who' },
      el('time', { dateTime: entry.at, title: at, textContent: timeAgo(entry.at, Date.now(), desk) }),
      el('span', { textContent: nameOf(entry.by, texts) }),
      hasEvent && entry.eventId !== undefined && el('span', {}, hasRoom ? link : entry.eventId),
    ),
    el(
      'details',
      {},
      el('summary', { textContent: texts.auditRaw }),
      el('p', { className: 'about', textContent: `${at} · ${entry.from}` }),
      el('pre', {
        tabIndex: 0,
        textContent: JSON.stringify(entry, undefined, 2),
        attributes: { role: 'group', 'aria-label': texts.auditRaw },
      }),
    ),
  );
}

function isChosen(filter: AuditFilter | undefined): boolean {
  return [...(filter?.root.querySelectorAll('select') ?? [])].some(({ value }) => value !== '');
}

function nameOf(by: string, texts: Desk['texts']): string {
  const special: Record<string, string> = {
    token: texts.auditByToken,
    'admin-token': texts.auditByToken,
    unknown: texts.auditByUnknown,
    system: texts.auditBySystem,
  };
  return special[by] ?? by.replace(/^oidc:/, '');
}
