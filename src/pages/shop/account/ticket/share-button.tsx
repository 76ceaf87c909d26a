/**
 * Shares the ticket of one seat by a link. The code is in the fragment, which browsers do not send: it appears in no log and in no
 * Referer.
 */
import { useEffect, useRef, useState } from 'preact/hooks';
import type { EntryAnswer } from '../../shared/wire.ts';
import { texts } from '../../shared/words.ts';

export function ShareButton({ entry }: { entry: EntryAnswer }) {
  const [isOpen, setOpen] = useState(false);
  return (
    <>
      <button type="button" onClick={() => setOpen(true)}>
        {texts.share}
      </button>
      {isOpen && <ShareDialog link={`${location.origin}/shared-ticket#${entry.code}`} onClose={() => setOpen(false)} />}
    </>
  );
}

function ShareDialog({ link, onClose }: { link: string; onClose: () => void }) {
  const dialog = useRef<HTMLDialogElement>(null);
  const field = useRef<HTMLInputElement>(null);
  const [isCopied, setCopied] = useState(false);
  useEffect(() => dialog.current!.showModal(), []);
  const copy = async () => {
    field.current!.select();
    // Without HTTPS there is no clipboard; the link is selected, so that it can be copied by hand.
    await navigator.clipboard?.writeText(link).then(
      () => setCopied(true),
      () => undefined,
    );
  };
  const send = () => navigator.share({ title: texts.sharedTitle, url: link }).then(onClose, () => undefined);
  return (
    <dialog ref={dialog} aria-labelledby="share-title" onClose={onClose}>
      <div class="stack">
        <h2 id="share-title">{texts.shareTitle}</h2>
        <p>{texts.shareText}</p>
        <div class="field">
          <label for="share-link">{texts.shareLink}</label>
          <input id="share-link" ref={field} readOnly value={link} />
        </div>
        <p role="status">{isCopied ? texts.copied : ''}</p>
        <div class="actions">
          <button type="button" class="main" onClick={'share' in navigator ? send : copy}>
            {'share' in navigator ? texts.share : texts.copy}
          </button>
          <button type="button" onClick={onClose}>
            {texts.close}
          </button>
        </div>
      </div>
    </dialog>
  );
}
