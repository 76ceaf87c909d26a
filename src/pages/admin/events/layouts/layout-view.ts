/** Edits one seat layout, with a live preview. */

import { retryUntilOk } from '../../api/retry-until-ok.ts';
import type { Layout } from '../../api/wire.ts';
import { type Desk, refusalText, type View } from '../../controls/desk.ts';
import { el, fillWith } from '../../controls/dom.ts';
import { createField, type Field, showProblems, textInput } from '../../controls/field.ts';
import { lockUnless, needs } from '../../controls/needs.ts';
import { section } from '../../controls/panel.ts';
import { type Item, itemList } from './layout-items.ts';
import { layoutPreview } from './layout-preview.ts';

export function layoutView(desk: Desk, layoutId: string): View {
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
      el('p', { className: 'about', textContent: `${layoutId} · ${texts.editorAbout}` }),
      layoutForm(desk, layoutId, known),
    );
  }
  void load();
  return { title: layoutId, root };
}

function layoutForm(desk: Desk, layoutId: string, known: Layout | undefined): HTMLElement {
  const { texts, api } = desk;
  const name = createField({
    id: 'layout-name',
    label: texts.name,
    input: textInput(known?.name ?? '', { maxLength: 100 }),
  });
  const asItems = (items: readonly object[] | undefined) => items as readonly Item[] | undefined;
  const first = { id: 'A', name: 'A', rows: 10, seatsPerRow: 20, price: 0 };
  const sections = itemList('sections', asItems(known?.sections) ?? [first], desk, () => show());
  const standing = itemList('standing', asItems(known?.standing) ?? [], desk, () => show());
  const preview = el('div', { id: 'preview' });
  const form = el('form', { id: 'layout-form', className: 'panels', noValidate: true });
  const main = section('layout-main', texts.layout, name.root, sections.root, standing.root, saveButton());
  main.classList.add('double');
  form.append(main, section('layout-preview', texts.preview, preview));

  const read = () =>
    ({ name: name.input.value.trim(), sections: sections.read(), standing: standing.read() }) as unknown as Layout;
  function show(): void {
    fillWith(preview, layoutPreview(read(), desk));
  }
  function fields(): Map<string, Field> {
    return new Map([['name', name], ...sections.fields(), ...standing.fields()]);
  }
  function saveButton(): HTMLElement {
    const button = el('button', { id: 'save-layout', type: 'submit', className: 'main', textContent: texts.save });
    return needs('operator', el('div', { className: 'actions' }, button));
  }
  form.addEventListener('submit', async (event) => {
    event.preventDefault();
    const answer = await api.put(`/api/admin/layouts/${layoutId}`, read());
    const others = showProblems(fields(), answer.ok ? [] : answer.fields);
    if (answer.ok) return desk.say(texts.saved);
    desk.say(others[0] ?? (answer.fields.length > 0 ? texts.problems : refusalText(desk, answer)), 'bad');
  });
  show();
  lockUnless(desk, 'operator', form);
  return form;
}
