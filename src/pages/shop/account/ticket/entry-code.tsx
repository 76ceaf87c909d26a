/** The code of one person and the name of what it admits to. */
import type { EntryAnswer } from '../../shared/wire.ts';
import { seatName, texts } from '../../shared/words.ts';

export function QrImage({ entry }: { entry: EntryAnswer }) {
  return (
    <img
      class="qr"
      src={`data:image/svg+xml,${encodeURIComponent(entry.qr)}`}
      alt={`${texts.qrLabel}: ${nameEntry(entry)}`}
      width="240"
      height="240"
    />
  );
}

export function nameEntry({ seat, standing }: EntryAnswer): string {
  return seat === undefined ? standing!.name : seatName(seat);
}
