/** The fields of the selected section or standing area. */
import type { Section } from '../../../../shop/rules/layout.ts';
import type { AdminTexts } from '../../../texts/en.ts';
import { fill } from '../../../texts/language.ts';
import type { Problem } from '../../../texts/problem-text.ts';
import type { Desk } from '../../controls/desk.ts';
import { el, fillWith } from '../../controls/dom.ts';
import { createField, type Field, showProblems, textInput } from '../../controls/field.ts';
import type { Editor, Selected } from './editor.ts';
import { changeSection, changeStanding } from './layout-edits.ts';

type Name = string;
type Labels = Readonly<Record<Name, keyof AdminTexts>>;

const rowLabels: Labels = {
  name: 'name',
  id: 'id',
  rows: 'rowsCount',
  seatsPerRow: 'seatsPerRow',
  price: 'priceIn',
  curve: 'curve',
  rotate: 'rotate',
  x: 'placeX',
  y: 'placeY',
  rowLabels: 'rowLabels',
  firstSeat: 'firstSeat',
  view: 'viewPicture',
};
const { curve: _none, ...withoutCurve } = rowLabels;
const tableLabels: Labels = { ...withoutCurve, rows: 'tablesCount', seatsPerRow: 'seatsPerTable', across: 'across' };
const standingLabels: Labels = { name: 'name', id: 'id', quantity: 'quantity', price: 'priceIn' };
const TEXTS = ['name', 'id', 'view', 'rowLabels'];
/** Empty means that the default applies. */
const OPTIONAL = ['curve', 'rotate', 'firstSeat', 'view', 'across', 'rowLabels'];
const LIMITS: Readonly<Record<Name, [min: number, max: number]>> = {
  rows: [1, 1_000],
  seatsPerRow: [1, 1_000],
  curve: [0, 180],
  rotate: [-180, 180],
  across: [1, 100],
};

export interface EditorFields {
  root: HTMLElement;
  /** Shows problems by the paths of the API: `sections.0.rows`; returns those that belong elsewhere. */
  showProblems(problems: readonly Problem[]): void;
}

export function editorFields(editor: Editor, desk: Desk): EditorFields {
  const { texts } = desk;
  const root = el('div', { id: 'editor-fields', className: 'field-grid editor-fields' });
  let fields = new Map<string, Field>();

  function show(): void {
    const { selected } = editor;
    if (selected === undefined) {
      fields = new Map();
      fillWith(root, el('p', { className: 'soft wide', textContent: texts.selectedNone }));
      return;
    }
    fields = new Map(Object.entries(labelsOf(selected)).map(([name, label]) => [name, fieldOf(name, label, selected)]));
    fillWith(root, ...[...fields.values()].map((field) => field.root));
  }

  function labelsOf({ kind, index }: Selected): Labels {
    if (kind === 'standing') return standingLabels;
    return editor.layout.sections[index]!.kind === 'table' ? tableLabels : rowLabels;
  }

  function fieldOf(name: Name, label: keyof AdminTexts, selected: Selected): Field {
    const prefix = selected.kind === 'sections' ? 'section' : 'standing';
    const mode = TEXTS.includes(name) ? {} : { inputMode: name === 'rotate' || name === 'x' ? 'text' : 'decimal' };
    const about = { price: texts.priceAbout, rowLabels: texts.rowLabelsAbout }[name];
    const input = textInput(textOf(editor, name, selected), mode);
    const field = createField({ id: `${prefix}-${name}`, label: texts[label], about, input });
    input.addEventListener('input', () => {
      const problem = write(editor, name, input.value.trim(), selected, texts);
      field.setProblem(problem);
    });
    return field;
  }

  editor.onChange((change) => {
    if (change === 'selection' || change === 'history') show();
    if (change === 'layout' && !root.contains(document.activeElement)) show();
  });
  show();
  return {
    root,
    showProblems(problems) {
      const match = problems
        .map(({ field }) => /^(sections|standing)\.(\d+)\.(\w+)/.exec(field))
        .find((one) => one !== null);
      if (match) editor.select({ kind: match[1] as Selected['kind'], index: Number(match[2]) });
      const { selected } = editor;
      const prefix = selected === undefined ? '' : `${selected.kind}.${selected.index}.`;
      showProblems(
        fields,
        problems
          .filter(({ field }) => prefix !== '' && field.startsWith(prefix))
          .map(({ field, message }) => ({ field: field.slice(prefix.length).split('.')[0]!, message })),
      );
    },
  };
}

function textOf(editor: Editor, name: Name, { kind, index }: Selected): string {
  const item = editor.layout[kind][index] as Section & Record<string, unknown>;
  if (name === 'x' || name === 'y') return String(item.at?.[name] ?? 0);
  if (name === 'rowLabels') return (item.rowLabels ?? []).join(', ');
  return String(item[name] ?? '');
}

/** Changes the layout; a text that is not a value is a problem and changes nothing. */
function write(
  editor: Editor,
  name: Name,
  text: string,
  { kind, index }: Selected,
  texts: AdminTexts,
): string | undefined {
  const { layout } = editor;
  const key = `${kind}-${index}-${name}`;
  const value = toValue(name, text, texts);
  if (typeof value === 'object' && 'problem' in value) return value.problem;
  if (kind === 'standing') editor.change(changeStanding(layout, index, { [name]: value }), key);
  else if (name === 'x' || name === 'y') {
    const at = { ...layout.sections[index]!.at!, [name]: value as number };
    editor.change(changeSection(layout, index, { at }), key);
  } else editor.change(changeSection(layout, index, { [name]: value }), key);
  const { rows, rowLabels: labels } = layout.sections[index] ?? {};
  const count = name === 'rowLabels' && Array.isArray(value) ? value.length : labels?.length;
  if (name === 'rowLabels' && count !== undefined && value !== undefined && count !== rows) {
    return fill(texts.rowLabelsCount, { count, rows: rows ?? 0 });
  }
  return undefined;
}

function toValue(
  name: Name,
  text: string,
  texts: AdminTexts,
): string | number | string[] | undefined | { problem: string } {
  if (text === '' && OPTIONAL.includes(name)) return undefined;
  if (name === 'rowLabels')
    return text
      .split(',')
      .map((label) => label.trim())
      .filter(Boolean);
  if (TEXTS.includes(name)) return text;
  const number = Number(text);
  if (text === '' || !Number.isFinite(number)) return { problem: texts.notANumber };
  const [min, max] = LIMITS[name] ?? [Number.NEGATIVE_INFINITY, Number.POSITIVE_INFINITY];
  // The drawing needs a shape that it can draw; all else is for the server to refuse.
  return number < min || number > max ? { problem: fill(texts.range, { low: min, high: max }) } : number;
}
