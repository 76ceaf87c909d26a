/**
 * The log of a process. Errors of drivers carry more than their message: the arguments of a failed AUTH, the URL that
 * could not be parsed. A line gets only kind, message, code and stack of an error, without passwords and tokens.
 */
import { type DestinationStream, type Logger, pino } from 'pino';
import { redactText } from './redact.ts';

export function createLog(level: string, destination?: DestinationStream): Logger {
  const options = {
    level,
    serializers: { err: toLoggedError },
    hooks: {
      logMethod(this: Logger, args: unknown[], method: (...args: unknown[]) => void) {
        method.apply(
          this,
          args.map((arg) => (typeof arg === 'string' ? redactText(arg) : arg)),
        );
      },
    },
  };
  return destination === undefined ? pino(options as never) : pino(options as never, destination);
}

const MOST_CAUSES = 3;

function toLoggedError(error: unknown, depth = 0): unknown {
  if (!(error instanceof Error)) return redactText(String(error));
  const { name, message, stack = '', cause } = error;
  const code = (error as { code?: unknown }).code;
  return {
    type: name,
    message: redactText(message),
    ...(typeof code === 'string' || typeof code === 'number' ? { code } : {}),
    stack: redactText(stack),
    ...(cause instanceof Error && depth < MOST_CAUSES ? { cause: toLoggedError(cause, depth + 1) } : {}),
  };
}
