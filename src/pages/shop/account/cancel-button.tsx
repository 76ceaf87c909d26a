/** Cancels a paid reservation after confirmation. */
import { useState } from 'preact/hooks';
import { send } from '../shared/api.ts';
import { ConfirmDialog } from '../shared/confirm-dialog.tsx';
import { texts } from '../shared/words.ts';

export interface CancelButtonProps {
  reservationId: string;
  onDone: (text: string, tone: 'calm' | 'warn') => void;
}

export function CancelButton({ reservationId, onDone }: CancelButtonProps) {
  const [isAsking, setAsking] = useState(false);
  const answer = async (isYes: boolean) => {
    setAsking(false);
    if (!isYes) return;
    const done = await send('POST', `/api/reservations/${reservationId}/cancel`);
    if (done.ok) onDone(texts.cancelledDone, 'calm');
    else onDone(done.problem.code === 'OFFLINE' ? texts.reasonOther : texts.cancelTooLate, 'warn');
  };
  return (
    <>
      <button type="button" onClick={() => setAsking(true)}>
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
