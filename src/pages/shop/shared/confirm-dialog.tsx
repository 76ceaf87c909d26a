/** A confirmation dialog for irreversible actions. The focus is on the harmless answer. */
import { useEffect, useRef } from 'preact/hooks';

export interface ConfirmDialogProps {
  title: string;
  text: string;
  yes: string;
  no: string;
  onAnswer: (isYes: boolean) => void;
}

export function ConfirmDialog({ title, text, yes, no, onAnswer }: ConfirmDialogProps) {
  const dialog = useRef<HTMLDialogElement>(null);
  const harmless = useRef<HTMLButtonElement>(null);
  useEffect(() => {
    dialog.current!.showModal();
    harmless.current!.focus();
  }, []);
  return (
    <dialog ref={dialog} aria-labelledby="confirm-title" onClose={() => onAnswer(false)}>
      <h2 id="confirm-title">{title}</h2>
      <p>{text}</p>
      <div class="actions">
        <button type="button" class="danger" onClick={() => onAnswer(true)}>
          {yes}
        </button>
        <button type="button" class="main" ref={harmless} onClick={() => onAnswer(false)}>
          {no}
        </button>
      </div>
    </dialog>
  );
}
