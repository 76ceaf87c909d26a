/** The ticket of one person: where they sit, and their code. */
import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';
import type { EntryAnswer } from '../../shared/wire.ts';
import { fill, texts } from '../../shared/words.ts';
import { nameEntry, QrImage } from './entry-code.tsx';
import { FullScreenCode } from './full-screen-code.tsx';

export interface EntryTicketProps {
  entry: EntryAnswer;
  total: number;
  /** On paper only, where each seat has its own page: the event. */
  printed: ComponentChildren;
  children?: ComponentChildren;
}

export function EntryTicket({ entry, total, printed, children }: EntryTicketProps) {
  const [isLarge, setLarge] = useState(false);
  return (
    <li class="card entry">
      <div class="print-only">{printed}</div>
      {total > 1 && <p class="soft small">{fill(texts.entryOf, { entry: entry.entry, total })}</p>}
      <h2>{nameEntry(entry)}</h2>
      <QrImage entry={entry} />
      <p class="code">{entry.code}</p>
      <div class="actions">
        <button type="button" class="main" onClick={() => setLarge(true)}>
          {texts.showLarge}
        </button>
        {children}
      </div>
      {isLarge && <FullScreenCode entry={entry} onClose={() => setLarge(false)} />}
    </li>
  );
}
