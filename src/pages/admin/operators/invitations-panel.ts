/** Who may sign in at the identity provider by invitation. */
import { fill } from '../../texts/language.ts';
import { type Desk, refusalText } from '../controls/desk.ts';
import { el } from '../controls/dom.ts';
import { createField } from '../controls/field.ts';
import { section } from '../controls/panel.ts';
import { listTable } from './list-table.ts';
import { type ListPanel, OPERATORS } from './operator-list.ts';
import { roleField } from './role-select.ts';

const INVITATIONS = `${OPERATORS}/invitations`;

export function invitationsPanel(desk: Desk, reload: () => void): ListPanel {
  const { texts, api } = desk;
  const head = [texts.email, texts.role, texts.invitedBy];
  const table = listTable('invitations', texts.invitations, head, texts.operatorsNobody);

  async function withdraw(email: string): Promise<void> {
    const title = fill(texts.withdrawQuestion, { email });
    const question = { title, body: texts.withdrawWarning, yes: texts.withdraw, isDangerous: true };
    if (!(await desk.confirm(question))) return;
    const answer = await api.delete(`${INVITATIONS}/${encodeURIComponent(email)}`);
    desk.say(answer.ok ? texts.done : refusalText(desk, answer), answer.ok ? 'good' : 'bad');
    reload();
  }

  const about = el('p', { className: 'about', textContent: texts.invitationsAbout });
  const root = section('invitations-panel', texts.invitations, about, table.root, inviteForm(desk, reload));
  root.classList.add('wide');
  return {
    root,
    show({ invitations }) {
      table.show(
        invitations.map(({ email, role, invitedBy }) => [
          email,
          texts[`role_${role}`],
          invitedBy.replace(/^oidc:/, ''),
          el('button', { type: 'button', textContent: texts.withdraw, onclick: () => void withdraw(email) }),
        ]),
      );
    },
  };
}

function inviteForm(desk: Desk, reload: () => void): HTMLElement {
  const { texts, api } = desk;
  const input = el('input', { type: 'email', autocomplete: 'off', maxLength: 254 });
  const email = createField({ id: 'invite-email', label: texts.email, input });
  const role = roleField(desk, 'invite-role');
  const form = el('form', { id: 'invite', className: 'fields', noValidate: true });
  form.append(email.root, role.root, el('button', { type: 'submit', textContent: texts.invite }));
  form.addEventListener('submit', async (event) => {
    event.preventDefault();
    const answer = await api.put(INVITATIONS, { email: input.value.trim(), role: role.input.value });
    email.setProblem(answer.ok ? undefined : (answer.fields[0]?.message ?? refusalText(desk, answer)));
    if (!answer.ok) return input.focus();
    input.value = '';
    desk.say(texts.done);
    reload();
  });
  return form;
}
