/** A folded part of a page that stays open over a reload of the tab. */
import { type Child, el } from './dom.ts';

export function fold(id: string, title: string, about: string, ...children: Child[]): HTMLDetailsElement {
  const root = el(
    'details',
    { id, className: 'fold wide' },
    el(
      'summary',
      {},
      el('span', { className: 'fold-title', textContent: title }),
      el('span', { className: 'about', textContent: about }),
    ),
    el('div', { className: 'panels' }, ...children),
  );
  const key = `fairline-open-${id}`;
  root.open = sessionStorage.getItem(key) === 'yes';
  root.addEventListener('toggle', () => sessionStorage.setItem(key, root.open ? 'yes' : 'no'));
  return root;
}
