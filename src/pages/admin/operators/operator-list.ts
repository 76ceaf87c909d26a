/** What the panels of operators share. */
import type { OperatorList } from '../api/wire.ts';

export const OPERATORS = '/api/admin/operators';

/** A panel that shows its part of the list. */
export interface ListPanel {
  root: HTMLElement;
  show(list: OperatorList): void;
}
