import { explainError } from './explain-error.ts';

/** The first SIGTERM or SIGINT stops gracefully; the second exits immediately. */
export function stopOnSignal(running: { stop(): Promise<void> }): void {
  let isStopping = false;
  for (const signal of ['SIGTERM', 'SIGINT'] as const) {
    process.on(signal, () => {
      if (isStopping) process.exit(1);
      isStopping = true;
      running.stop().then(
        () => process.exit(0),
        (error) => {
          console.error(explainError(error));
          process.exit(1);
        },
      );
    });
  }
}
