import { explain } from './explain.ts';

/** The first signal stops in good order, a second one at once. */
export function stopOnSignal(running: { stop(): Promise<void> }): void {
  let isStopping = false;
  for (const signal of ['SIGTERM', 'SIGINT'] as const) {
    process.on(signal, () => {
      if (isStopping) process.exit(1);
      isStopping = true;
      running.stop().then(
        () => process.exit(0),
        (error) => {
          console.error(explain(error));
          process.exit(1);
        },
      );
    });
  }
}
