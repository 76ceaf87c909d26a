/** One code as large and bright as the screen allows: white in dark mode too, and the screen stays on. */
import { useEffect, useRef } from 'preact/hooks';
import type { EntryAnswer } from '../../shared/wire.ts';
import { texts } from '../../shared/words.ts';
import { nameEntry, QrImage } from './entry-code.tsx';

export function FullScreenCode({ entry, onClose }: { entry: EntryAnswer; onClose: () => void }) {
  const dialog = useRef<HTMLDialogElement>(null);
  useEffect(() => dialog.current!.showModal(), []);
  useWakeLock();
  return (
    <dialog ref={dialog} class="full-code" aria-labelledby="full-code-title" onClose={onClose}>
      <h2 id="full-code-title">{nameEntry(entry)}</h2>
      <QrImage entry={entry} />
      <p>{texts.largeHint}</p>
      <button type="button" onClick={onClose}>
        {texts.close}
      </button>
    </dialog>
  );
}

/** Browsers may not have it or refuse it, for example on a low battery; then the screen turns off as usual. */
function useWakeLock(): void {
  useEffect(() => {
    let isOver = false;
    let lock: { release(): Promise<void> } | undefined;
    const ask = async () => {
      const found = await navigator.wakeLock?.request('screen').catch(() => undefined);
      if (isOver) await found?.release();
      else lock = found;
    };
    // The browser releases the lock when the page is hidden.
    const askAgain = () => document.visibilityState === 'visible' && void ask();
    void ask();
    document.addEventListener('visibilitychange', askAgain);
    return () => {
      isOver = true;
      document.removeEventListener('visibilitychange', askAgain);
      void lock?.release();
    };
  }, []);
}
