/** All seat layouts. */

import { retryUntilOk } from '../../api/retry-until-ok.ts';
import type { Layout } from '../../api/wire.ts';
import { createForm } from '../../controls/create-form.ts';
import { type Desk, refusalText, type View } from '../../controls/desk.ts';
import { el, fillWith, setText } from '../../controls/dom.ts';
import { needs } from '../../controls/needs.ts';
import { layoutPreview } from './layout-preview.ts';

export function layoutsView(desk: Desk): View {
  const { texts, api } = desk;
  const list = el('ul', { id: 'layouts', className: 'cards' });
  const note = el('p', { className: 'summary', textContent: texts.loading });
  let known: Layout[] = [];

  async function load(): Promise<void> {
    const send = () => api.get<Layout[]>('/api/seats/layouts');
    known = await retryUntilOk(send, note, (refusal) => setText(note, refusalText(desk, refusal)));
    note.textContent = texts.noLayouts;
    note.hidden = known.length > 0;
    fillWith(list, ...known.map(toCard));
  }

  function toCard(layout: Layout): HTMLElement {
    const link = el('a', { href: `#/layouts/${layout.layoutId}`, textContent: layout.name });
    return el('li', { className: 'card' }, el('h2', {}, link), layoutPreview(layout, desk));
  }

  const form = createForm(desk, {
    id: 'new-layout',
    title: texts.newLayout,
    label: texts.layoutId,
    isTaken: (id) => known.some(({ layoutId }) => layoutId === id),
    onId(id) {
      location.hash = `#/layouts/${id}`;
    },
  });
  void load();
  return {
    title: texts.layouts,
    root: el(
      'div',
      { className: 'view' },
      el('h1', { textContent: texts.layouts }),
      note,
      list,
      needs('operator', form),
    ),
  };
}
