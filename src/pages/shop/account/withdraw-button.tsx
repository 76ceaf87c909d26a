/** Withdraws an offer. */
import { useState } from 'preact/hooks';
import { send } from '../shared/api.ts';
import type { Tone } from '../shared/banner.tsx';
import { texts } from '../shared/words.ts';

export interface WithdrawButtonProps {
  transferId: string;
  onDone: (text: string, tone: Tone) => void;
}

export function WithdrawButton({ transferId, onDone }: WithdrawButtonProps) {
  const [isBusy, setBusy] = useState(false);
  const withdraw = async () => {
    setBusy(true);
    const done = await send('POST', `/api/transfers/${transferId}/cancel`);
    setBusy(false);
    if (done.ok) onDone(texts.withdrawn, 'success');
    else onDone(done.problem.code === 'OFFLINE' ? texts.reasonOther : texts.withdrawTooLate, 'danger');
  };
  return (
    <button type="button" disabled={isBusy} onClick={withdraw}>
      {texts.withdraw}
    </button>
  );
}
