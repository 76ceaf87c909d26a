/** The sections or standing tickets of a layout: rows of fields to add and remove. */
import type { AdminTexts } from '../../../texts/en.ts';
import { fill } from '../../../texts/language.ts';
import type { Desk } from '../../controls/desk.ts';
import { el } from '../../controls/dom.ts';
import { createField, type Field, textInput } from '../../controls/field.ts';

export type Item = Record<string, string | number>;

export interface ItemList {
  root: HTMLElement;
  read(): Item[];
  /** By the field names in the server's errors: `sections.0.rows`. */
  fields(): [string, Field][];
}

const columns = {
  sections: { id: 'id', name: 'name', rows: 'rowsCount', seatsPerRow: 'seatsPerRow', price: 'price' },
  standing: { id: 'id', name: 'name', quantity: 'quantity', price: 'price' },
} as const satisfies Record<string, Record<string, keyof AdminTexts>>;
const TEXTS = ['id', 'name'];

interface Row {
  root: HTMLElement;
  fields: Map<string, Field>;
}

export function itemList(
  kind: keyof typeof columns,
  items: readonly Item[],
  desk: Desk,
  onChange: () => void,
): ItemList {
  const { texts } = desk;
  const names = Object.entries(columns[kind]);
  const list = el('div', { className: 'items' });
  let rows: Row[] = [];
  let made = 0;

  function add(item: Item): Row {
    made += 1;
    const fields = new Map(
      names.map(([name, label]) => {
        const input = textInput(String(item[name] ?? ''), TEXTS.includes(name) ? {} : { inputMode: 'numeric' });
        return [name, createField({ id: `${kind}-${made}-${name}`, label: texts[label], input })];
      }),
    );
    const label = () => fill(texts.remove, { name: fields.get('name')!.input.value });
    const remove = el('button', {
      type: 'button',
      className: 'plain',
      textContent: '×',
      attributes: { 'aria-label': label() },
    });
    const root = el('div', { className: 'item' }, ...[...fields.values()].map((field) => field.root), remove);
    const row = { root, fields };
    remove.addEventListener('click', () => {
      rows = rows.filter((other) => other !== row);
      root.remove();
      onChange();
      adding.focus();
    });
    root.addEventListener('input', () => {
      remove.setAttribute('aria-label', label());
      onChange();
    });
    rows.push(row);
    list.append(root);
    return row;
  }

  const adding = el('button', {
    id: `add-${kind}`,
    type: 'button',
    textContent: kind === 'sections' ? texts.addSection : texts.addStanding,
    onclick() {
      add({}).fields.get('id')!.input.focus();
      onChange();
    },
  });
  for (const item of items) add(item);
  return {
    root: el('fieldset', {}, el('legend', { textContent: texts[kind] }), list, adding),
    read: () =>
      rows.map(({ fields }) =>
        Object.fromEntries(
          [...fields].map(([name, { input }]) => [
            name,
            TEXTS.includes(name) ? input.value.trim() : Number(input.value),
          ]),
        ),
      ),
    fields: () =>
      rows.flatMap(({ fields }, i) =>
        [...fields].map(([name, field]): [string, Field] => [`${kind}.${i}.${name}`, field]),
      ),
  };
}
