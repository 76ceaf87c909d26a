/** The operator's message to waiting visitors. */
import { type Desk, refusalText } from '../controls/desk.ts';
import { el } from '../controls/dom.ts';
import { createField, type Field, showProblems } from '../controls/field.ts';
import { needs } from '../controls/needs.ts';
import { type Panel, section } from '../controls/panel.ts';

const languages = ['ko', 'en'] as const;

export function messagePanel(desk: Desk, eventId: string): Panel {
  const { texts, api, say } = desk;
  const label = { ko: texts.korean, en: texts.english };
  const fields = new Map<string, Field>(
    languages.map((language) => {
      const input = el('textarea', { rows: 2, maxLength: 500, lang: language });
      return [`message.${language}`, createField({ id: `message-${language}`, label: label[language], input })];
    }),
  );
  const inputs = () => [...fields.values()].map(({ input }) => input);
  let isTouched = false;
  const form = el('form', { noValidate: true });
  form.addEventListener('input', () => {
    isTouched = true;
  });
  form.append(
    ...[...fields.values()].map(({ root }) => root),
    el('div', { className: 'actions' }, el('button', { id: 'send-message', type: 'submit', textContent: texts.send })),
  );
  form.addEventListener('submit', async (event) => {
    event.preventDefault();
    const said = languages.flatMap((language, i) => {
      const text = inputs()[i]!.value.trim();
      return text === '' ? [] : [[language, text]];
    });
    const message = said.length === 0 ? null : Object.fromEntries(said);
    const answer = await api.put(`/api/admin/rooms/${eventId}`, { message });
    const others = showProblems(fields, answer.ok ? [] : answer.fields);
    if (answer.ok) isTouched = false;
    say(answer.ok ? texts.saved : (others[0] ?? refusalText(desk, answer)), answer.ok ? 'good' : 'bad');
    desk.refresh();
  });
  return {
    root: needs(
      'operator',
      section('message', texts.message, el('p', { className: 'about', textContent: texts.messageAbout }), form),
    ),
    update({ settings }) {
      if (isTouched || inputs().includes(document.activeElement as HTMLTextAreaElement)) return;
      languages.forEach((language, i) => {
        inputs()[i]!.value = settings.message?.[language] ?? '';
      });
    },
  };
}
