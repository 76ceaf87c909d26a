/** What a role may not do is hidden, or shown without a way to change it. The server decides; this only keeps the page honest. */
import type { Role } from '../api/wire.ts';
import type { Desk } from './desk.ts';

/** Hides the element from operators below the role, by the style sheet: also when it is shown and hidden otherwise. */
export function needs<Node extends HTMLElement>(role: Role, node: Node): Node {
  node.dataset.needs = role;
  return node;
}

/** Shows a form to operators below the role without letting them change it. */
export function lockUnless(desk: Pick<Desk, 'may'>, role: Role, form: HTMLElement): void {
  if (desk.may(role)) return;
  for (const control of form.querySelectorAll<HTMLInputElement>('input, select, textarea, button')) {
    control.disabled = true;
  }
}
