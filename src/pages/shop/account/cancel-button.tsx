/** Cancels a paid reservation after confirmation. */
import { useState } from 'preact/hooks';
import { send } from '../shared/api.ts';
import type { Tone } from '../shared/banner.tsx';
import { ConfirmDialog } from '../shared/confirm-dialog.tsx';
import { texts } from '../shared/words.ts';

export interface CancelButtonProps {
  reservationId: string;
  onDone: (text: string, tone: Tone) => void;
}

export function CancelButton({ reservationId, onDone }: CancelButtonProps) {
  const [isAsking, setAsking] = useState(false);
  const answer = async (isYes: boolean) => {
    setAsking(false);
    if (!isYes) return;
    const done = await send('POST', `/api/reservations/${reservationId}/cancel`);
    if (done.ok) onDone(texts.cancelledDone, 'success');
    else onDone(done.problem.code === 'OFFLINE' ? texts.reasonOther : texts.cancelTooLate, 'danger');
  };
  return (
    <>
      <button type="button" class="danger" onClick={() => setAsking(true)}>
        {texts.cancel}
      </button>
      {isAsking && (
        <ConfirmDialog
          title={texts.cancelQuestion}
          text={texts.cancelText}
          yes={texts.cancelYes}
          no={texts.cancelNo}
          onAnswer={answer}
        />
      )}
    </>
  );
}
