/** Accounts with a role. */
import { type Desk, refusalText } from '../controls/desk.ts';
import { el } from '../controls/dom.ts';
import { createField } from '../controls/field.ts';
import { section } from '../controls/panel.ts';
import { listTable } from './list-table.ts';
import type { ListPanel } from './operator-list.ts';
import { roleField } from './role-select.ts';

export function accountsPanel(desk: Desk, reload: () => void): ListPanel {
  const { texts } = desk;
  const head = [texts.email, texts.role, texts.accountFactor];
  const table = listTable('accounts', texts.accounts, head, texts.operatorsNobody);
  const form = roleForm(desk, reload);
  const about = el('p', { className: 'about', textContent: texts.accountsAbout });
  const root = section('accounts-panel', texts.accounts, about, table.root, form.root);
  root.classList.add('wide');
  return {
    root,
    show({ accounts }) {
      table.show(
        accounts.map(({ email, role, secondFactor }) => [
          email,
          texts[`role_${role}`],
          secondFactor ? texts.yes : texts.no,
          el('button', { type: 'button', textContent: texts.setRole, onclick: () => form.fill(email, role) }),
        ]),
      );
    },
  };
}

function roleForm(desk: Desk, reload: () => void): { root: HTMLElement; fill(email: string, role: string): void } {
  const { texts, api } = desk;
  const input = el('input', { type: 'email', autocomplete: 'off', maxLength: 254 });
  const email = createField({ id: 'account-email', label: texts.email, input });
  const role = roleField(desk, 'account-role', [['user', texts.role_none]]);
  const form = el('form', { id: 'set-role', className: 'fields', noValidate: true });
  form.append(email.root, role.root, el('button', { type: 'submit', textContent: texts.setRole }));
  form.addEventListener('submit', async (event) => {
    event.preventDefault();
    const body = { email: input.value.trim(), role: role.input.value };
    const answer = await api.put('/api/admin/accounts/role', body);
    email.setProblem(answer.ok ? undefined : (answer.fields[0]?.message ?? refusalText(desk, answer)));
    if (!answer.ok) return input.focus();
    input.value = '';
    desk.say(texts.done);
    reload();
  });
  return {
    root: form,
    fill(known, current) {
      input.value = known;
      role.input.value = current;
      role.input.focus();
    },
  };
}
