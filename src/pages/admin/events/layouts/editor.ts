/** The state of the layout editor: the layout with its history, what is selected, and the tool. */
import type { LayoutBody } from '../../../../shop/rules/layout.ts';
import { type History, record, redo, startHistory, undo } from './history.ts';
import type { SeatKind } from './layout-edits.ts';

export interface Selected {
  kind: 'sections' | 'standing';
  index: number;
}
export type Tool = 'move' | SeatKind;
/** What changed: the drawing follows each, the fields only a selection or a step through the history. */
export type Change = 'layout' | 'selection' | 'history' | 'tool';

export class Editor {
  selected: Selected | undefined;
  tool: Tool = 'move';
  #history: History<LayoutBody>;
  #saved: LayoutBody;
  readonly #listeners: ((change: Change) => void)[] = [];

  constructor(layout: LayoutBody) {
    this.#history = startHistory(layout);
    this.#saved = layout;
    this.selected = layout.sections.length > 0 ? { kind: 'sections', index: 0 } : undefined;
  }

  get layout(): LayoutBody {
    return this.#history.now;
  }

  get canUndo(): boolean {
    return this.#history.past.length > 0;
  }

  get canRedo(): boolean {
    return this.#history.future.length > 0;
  }

  get isUnsaved(): boolean {
    return this.layout !== this.#saved;
  }

  onChange(listener: (change: Change) => void): void {
    this.#listeners.push(listener);
  }

  /** `key`: changes with the same one in a row are undone together. */
  change(layout: LayoutBody, key?: string): void {
    this.#history = record(this.#history, layout, key);
    this.#tell('layout');
  }

  /** Adds or removes something, and selects. */
  restructure(layout: LayoutBody, selected: Selected | undefined): void {
    this.#history = record(this.#history, layout);
    this.selected = selected;
    this.#tell('history');
  }

  select(selected: Selected | undefined): void {
    if (this.selected?.kind === selected?.kind && this.selected?.index === selected?.index) return;
    this.selected = selected;
    this.#tell('selection');
  }

  choose(tool: Tool): void {
    this.tool = tool;
    this.#tell('tool');
  }

  undo(): void {
    this.#step(undo(this.#history));
  }

  redo(): void {
    this.#step(redo(this.#history));
  }

  markSaved(): void {
    this.#saved = this.layout;
    this.#tell('tool');
  }

  #step(history: History<LayoutBody>): void {
    this.#history = history;
    const { selected } = this;
    if (selected !== undefined && this.layout[selected.kind][selected.index] === undefined) this.selected = undefined;
    this.#tell('history');
  }

  #tell(change: Change): void {
    for (const listener of this.#listeners) listener(change);
  }
}
