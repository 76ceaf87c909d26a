/** Why visitors seem to share an address, and which setting to change to what. */
import { fill } from '../../texts/language.ts';
import type { Overview } from '../api/wire.ts';
import type { Desk } from '../controls/desk.ts';
import { el, fillWith } from '../controls/dom.ts';

export function addressAlarms({ texts }: Pick<Desk, 'texts'>): {
  root: HTMLElement;
  update(overview: Pick<Overview, 'addressFindings'>): void;
} {
  const root = el('ul', { id: 'address-alarms', className: 'alarms', hidden: true });
  let shown = '';
  return {
    root,
    update({ addressFindings }) {
      const sentences = addressFindings.map(({ cause, address, trustProxy }) =>
        fill(texts[`address_${cause}`], { address, value: trustProxy }),
      );
      if (shown === sentences.join()) return;
      shown = sentences.join();
      root.hidden = sentences.length === 0;
      fillWith(root, ...sentences.map((textContent) => el('li', { className: 'banner warning', textContent })));
    },
  };
}
