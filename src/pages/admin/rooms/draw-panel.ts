/** The draw of a room with `order: draw`. */

import type { AdminTexts } from '../../texts/en.ts';
import { formatCount, formatTime } from '../../texts/format.ts';
import type { Draw } from '../api/wire.ts';
import type { Desk } from '../controls/desk.ts';
import { el } from '../controls/dom.ts';
import { factList, type Panel, section } from '../controls/panel.ts';

export function drawPanel({ texts, api, language }: Desk, eventId: string): Panel {
  const facts = factList([texts.drawState, texts.drawAt, texts.drawEntries, texts.commitment]);
  const link = el('a', { href: `/draw/${eventId}`, target: '_blank', rel: 'noopener', textContent: texts.drawPage });
  const about = el('p', { className: 'about', textContent: texts.commitmentAbout });
  const root = section('draw', texts.draw, facts.root, about, el('p', {}, link));
  root.hidden = true;
  /** State and time of the draw when it was last loaded: it is loaded again only when they change. */
  let known: string | undefined;

  async function load(): Promise<void> {
    const answer = await api.get<Draw>(`/api/rooms/${eventId}/draw`);
    if (!answer.ok) {
      known = undefined;
      return;
    }
    const { state, opensAt, commitment, entries } = answer.body;
    facts.set(texts.drawState, texts[`draw_${state}` as keyof AdminTexts]);
    facts.set(texts.drawAt, formatTime(opensAt, language, 'said'));
    facts.set(texts.drawEntries, entries === undefined ? texts.unknown : formatCount(entries, language));
    facts.set(texts.commitment, commitment);
  }
  return {
    root,
    update({ draw, settings }) {
      root.hidden = draw === null;
      const now = draw === null ? undefined : `${draw} ${settings.opensAt}`;
      if (now !== undefined && now !== known) void load();
      known = now;
    },
  };
}
