/** The operator's message to waiting visitors, with an optional end. */
import { type Desk, refusalText } from '../controls/desk.ts';
import { el } from '../controls/dom.ts';
import { createField, type Field, showProblems } from '../controls/field.ts';
import { toLocalText } from '../controls/local-time.ts';
import { needs } from '../controls/needs.ts';
import { type Panel, section } from '../controls/panel.ts';

const languages = ['ko', 'en'] as const;

interface Message {
  ko?: string;
  en?: string;
  until?: string;
}

export function messagePanel(desk: Desk, eventId: string): Panel {
  const { texts, api, say } = desk;
  const label = { ko: texts.korean, en: texts.english };
  const fields = new Map<string, Field>(
    languages.map((language) => {
      const input = el('textarea', { rows: 2, maxLength: 500, lang: language });
      return [`message.${language}`, createField({ id: `message-${language}`, label: label[language], input })];
    }),
  );
  const until = el('input', { type: 'datetime-local', step: '1' });
  fields.set(
    'message.until',
    createField({ id: 'message-until', label: texts.messageUntil, about: texts.messageUntilAbout, input: until }),
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

  function read(): Message | null {
    const said = languages.flatMap((language, i) => {
      const text = inputs()[i]!.value.trim();
      return text === '' ? [] : [[language, text]];
    });
    if (said.length === 0) return null;
    const end = until.value === '' ? {} : { until: new Date(until.value).toISOString() };
    return { ...Object.fromEntries(said), ...end };
  }

  form.addEventListener('submit', async (event) => {
    event.preventDefault();
    const answer = await api.put(`/api/admin/rooms/${eventId}`, { message: read() });
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
      const message: Message = settings.message ?? {};
      languages.forEach((language, i) => {
        inputs()[i]!.value = message[language] ?? '';
      });
      until.value = message.until === undefined ? '' : toLocalText(message.until);
    },
  };
}
