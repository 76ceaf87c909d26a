/** The buttons of the editor: add, tools for seats, undo, zoom. */
import { fill } from '../../../texts/language.ts';
import type { Desk } from '../../controls/desk.ts';
import { el } from '../../controls/dom.ts';
import type { Editor, Tool } from './editor.ts';
import type { EditorCanvas } from './editor-canvas.ts';
import { addSection, addStanding, duplicate, remove, rotateSection } from './layout-edits.ts';

const tools: readonly Tool[] = ['move', 'blocked', 'wheelchair', 'companion', 'open'];

export function editorTools(editor: Editor, canvas: EditorCanvas, { texts }: Desk): HTMLElement {
  const button = (id: string, text: string, onclick: () => void, label?: string) =>
    el('button', {
      id,
      type: 'button',
      className: 'small',
      textContent: text,
      onclick,
      attributes: label === undefined ? {} : { 'aria-label': label, title: label },
    });
  const last = (kind: 'sections' | 'standing') => ({ kind, index: editor.layout[kind].length });
  const named = (text: string) => (id: string) => fill(text, { id });
  const add = (kind: 'rows' | 'table', text: string) =>
    editor.restructure(addSection(editor.layout, kind, named(text)), last('sections'));

  const undo = button('undo', '↶', () => editor.undo(), texts.undo);
  const redo = button('redo', '↷', () => editor.redo(), texts.redo);
  const copy = button('duplicate', texts.duplicate, () => {
    const { selected } = editor;
    if (selected?.kind !== 'sections') return;
    editor.restructure(duplicate(editor.layout, selected.index, named(texts.newSectionName)), last('sections'));
  });
  const turn = button(
    'turn',
    '⟳',
    () => {
      const { selected } = editor;
      if (selected?.kind === 'sections') editor.change(rotateSection(editor.layout, selected.index, 15), 'turn');
    },
    texts.rotate,
  );
  const drop = button('remove', texts.removeSelected, () => {
    const { selected } = editor;
    if (selected !== undefined) editor.restructure(remove(editor.layout, selected.kind, selected.index), undefined);
  });
  const choices = tools.map((tool) => {
    const choice = button(`tool-${tool}`, texts[`tool_${tool}`], () => editor.choose(tool));
    choice.classList.add('tool', `tool-${tool}`);
    return choice;
  });

  function show(): void {
    undo.disabled = !editor.canUndo;
    redo.disabled = !editor.canRedo;
    const isSection = editor.selected?.kind === 'sections';
    copy.disabled = !isSection;
    turn.disabled = !isSection;
    drop.disabled = editor.selected === undefined;
    for (const [i, choice] of choices.entries()) choice.setAttribute('aria-pressed', String(tools[i] === editor.tool));
  }
  editor.onChange(show);
  show();
  return el(
    'div',
    { className: 'stack editor-tools' },
    el(
      'div',
      { className: 'row', attributes: { role: 'group', 'aria-label': texts.tools } },
      button('add-rows', texts.addRows, () => add('rows', texts.newSectionName)),
      button('add-tables', texts.addTables, () => add('table', texts.newTablesName)),
      button('add-standing', texts.addStandingArea, () =>
        editor.restructure(addStanding(editor.layout, named(texts.newStandingName)), last('standing')),
      ),
      copy,
      turn,
      drop,
      undo,
      redo,
      button('zoom-in', '+', () => canvas.zoom(1.4), texts.zoomIn),
      button('zoom-out', '−', () => canvas.zoom(1 / 1.4), texts.zoomOut),
      button('zoom-fit', texts.zoomFit, () => canvas.zoom('fit')),
    ),
    el('div', { className: 'row', attributes: { role: 'group', 'aria-label': texts.toolAbout } }, ...choices),
    el('p', { className: 'hint', textContent: texts.toolAbout }),
  );
}
