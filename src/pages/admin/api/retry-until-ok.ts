/** Retries a request that a view cannot do without, until it succeeds or the view is gone. */
import type { Answer, Refusal } from './api.ts';

const RETRY_MS = 2_000;

/** Never resolves after `root` has left the page. */
export async function retryUntilOk<T>(
  send: () => Promise<Answer<T>>,
  root: HTMLElement,
  onRefusal: (refusal: Refusal) => void,
): Promise<T> {
  for (;;) {
    const answer = await send();
    if (answer.ok) return answer.body;
    onRefusal(answer);
    await new Promise((resolve) => setTimeout(resolve, RETRY_MS));
    if (!root.isConnected) return new Promise(() => {});
  }
}
