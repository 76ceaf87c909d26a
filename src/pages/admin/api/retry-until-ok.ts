/** Asks for what a view cannot do without, until it is answered or the view is gone. */
import type { Answer, Refusal } from './api.ts';

const AGAIN_MS = 2_000;

/** Never resolves once `root` has left the page. */
export async function retryUntilOk<T>(
  ask: () => Promise<Answer<T>>,
  root: HTMLElement,
  onRefusal: (refusal: Refusal) => void,
): Promise<T> {
  for (;;) {
    const answer = await ask();
    if (answer.ok) return answer.body;
    onRefusal(answer);
    await new Promise((resolve) => setTimeout(resolve, AGAIN_MS));
    if (!root.isConnected) return new Promise(() => {});
  }
}
