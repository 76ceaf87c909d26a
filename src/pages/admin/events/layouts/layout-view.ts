/** Draws one seat layout: canvas, tools, fields of the selection, and the view of visitors. */
import type { LayoutBody } from '../../../../shop/rules/layout.ts';
import { formatCount } from '../../../texts/format.ts';
import { fill } from '../../../texts/language.ts';
import { retryUntilOk } from '../../api/retry-until-ok.ts';
import type { Layout } from '../../api/wire.ts';
import { type Desk, refusalText, type View } from '../../controls/desk.ts';
import { el, fillWith, setText } from '../../controls/dom.ts';
import { createField, textInput } from '../../controls/field.ts';
import { lockUnless, needs } from '../../controls/needs.ts';
import { section } from '../../controls/panel.ts';
import { Editor } from './editor.ts';
import { EditorCanvas } from './editor-canvas.ts';
import { editorFields } from './editor-fields.ts';
import { editorTools } from './editor-tools.ts';
import { addSection } from './layout-edits.ts';
import { placeAll } from './layout-geometry.ts';
import { layoutPreview, totalSeats } from './layout-preview.ts';

/** `eventId`: the event whose guide led here, to which the seats are copied. */
export function layoutView(desk: Desk, layoutId: string, eventId: string): View {
  const { texts, api } = desk;
  const root = el('div', { className: 'view' }, el('p', { textContent: texts.loading }));

  async function load(): Promise<void> {
    const send = () => api.get<Layout[]>('/api/seats/layouts');
    const layouts = await retryUntilOk(send, root, (refusal) =>
      fillWith(root, el('p', { className: 'note', textContent: refusalText(desk, refusal) })),
    );
    const known = layouts.find((layout) => layout.layoutId === layoutId);
    fillWith(
      root,
      el('h1', { textContent: known?.name ?? texts.newLayout }),
      el('p', { className: 'soft', textContent: `${layoutId} · ${texts.editorAbout}` }),
      layoutForm(desk, layoutId, known, eventId),
    );
  }
  void load();
  return { title: layoutId, root };
}

function startWith(known: Layout | undefined, { texts }: Desk): LayoutBody {
  if (known === undefined) {
    const empty = { name: '', sections: [], standing: [] };
    return addSection(empty, 'rows', (id) => fill(texts.newSectionName, { id }));
  }
  const { layoutId: _id, ...body } = known;
  return placeAll(body);
}

function layoutForm(desk: Desk, layoutId: string, known: Layout | undefined, eventId: string): HTMLElement {
  const { texts, language } = desk;
  const editor = new Editor(startWith(known, desk));
  const input = textInput(known?.name ?? '', { maxLength: 100 });
  const name = createField({ id: 'layout-name', label: texts.name, input });
  const canvas = new EditorCanvas(editor, desk);
  const fields = editorFields(editor, desk);
  const total = el('p', { id: 'seat-total', className: 'stat-line', attributes: { role: 'status' } });
  const unsaved = el('span', { className: 'badge warning', textContent: texts.unsaved, hidden: true });
  const preview = el('div', { id: 'preview' });
  const problems = el('div', { id: 'layout-problems', className: 'banner danger', hidden: true });
  const form = el('form', { id: 'layout-form', className: 'editor', noValidate: true });
  const body = (): LayoutBody => ({ ...editor.layout, name: input.value.trim() });

  function show(): void {
    setText(total, totals(body(), desk));
    unsaved.hidden = !editor.isUnsaved;
    fillWith(preview, layoutPreview(body(), { texts, language }));
  }
  editor.onChange(show);
  form.append(
    el(
      'div',
      { className: 'editor-main stack' },
      name.root,
      editorTools(editor, canvas, desk),
      canvas.root,
      el('div', { className: 'row between' }, total, unsaved),
    ),
    el(
      'div',
      { className: 'editor-side stack' },
      section('selection', texts.sectionRows, fields.root),
      section('layout-preview', texts.visitorSees, preview),
    ),
    problems,
    saveButtons(texts, eventId),
  );
  form.addEventListener('keydown', (event) => {
    const isTyping = event.target instanceof HTMLInputElement;
    if (!(event.ctrlKey || event.metaKey) || event.key.toLowerCase() !== 'z' || isTyping) return;
    event.preventDefault();
    if (event.shiftKey) editor.redo();
    else editor.undo();
  });
  form.addEventListener('submit', async (event) => {
    event.preventDefault();
    const isForEvent = (event as SubmitEvent).submitter?.id === 'use-layout';
    if (await save()) await (isForEvent ? use() : desk.say(texts.saved));
  });

  async function save(): Promise<boolean> {
    const answer = await desk.api.put(`/api/admin/layouts/${layoutId}`, body());
    const found = answer.ok ? [] : answer.fields;
    const own = found.find(({ field }) => field === 'name')?.message;
    name.setProblem(own);
    fields.showProblems(found);
    if (own !== undefined) input.focus();
    const others = found.filter(({ field }) => field !== 'name');
    problems.hidden = others.length === 0;
    setText(problems, others.map(({ field, message }) => problemLine(field, message, body(), desk)).join(' '));
    if (answer.ok) editor.markSaved();
    else desk.say(found.length > 0 ? texts.problems : refusalText(desk, answer), 'bad');
    return answer.ok;
  }

  async function use(): Promise<void> {
    const answer = await desk.api.post(`/api/admin/events/${eventId}/seats`, { layoutId });
    if (!answer.ok) return desk.say(refusalText(desk, answer), 'bad');
    desk.say(fill(texts.usedLayout, { name: input.value.trim() }));
    location.hash = `#/events/${eventId}/setup/times`;
  }

  show();
  lockUnless(desk, 'operator', form);
  return form;
}

function saveButtons(texts: Desk['texts'], eventId: string): HTMLElement {
  const save = el('button', { id: 'save-layout', type: 'submit', textContent: texts.save });
  const use = el('button', {
    id: 'use-layout',
    type: 'submit',
    className: 'main',
    textContent: fill(texts.saveAndUse, { event: eventId }),
  });
  if (eventId === '') save.className = 'main';
  return needs('operator', el('div', { className: 'actions editor-save' }, eventId !== '' && use, save));
}

/** Names the section that a problem is about. */
function problemLine(field: string, problem: string, layout: LayoutBody, { texts }: Desk): string {
  const [kind, index] = field.split('.');
  const item = kind === 'sections' || kind === 'standing' ? layout[kind][Number(index)] : undefined;
  return item === undefined ? problem : fill(texts.problemOf, { name: item.name || item.id, problem });
}

function totals(layout: LayoutBody, { texts, language }: Pick<Desk, 'texts' | 'language'>): string {
  const seats = fill(texts.seatTotal, { seats: formatCount(totalSeats(layout), language) });
  const standing = layout.standing.reduce((sum, { quantity }) => sum + quantity, 0);
  const count = fill(texts.standingTotal, { count: formatCount(standing, language) });
  return standing === 0 ? seats : `${seats} · ${count}`;
}
