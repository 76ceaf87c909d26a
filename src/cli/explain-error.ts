/** The message for an error that ends the program. Errors that an operator can fix have no stack trace. */
import { UnusableDatabaseError } from '../platform/database/database-errors.ts';
import { UnusableFolderError } from '../platform/folder/usable-folder.ts';
import { FolderInUseError } from '../platform/journal/folder-lock.ts';
import { JournalCorruptError } from '../platform/journal/journal-frames.ts';
import { redactText } from '../platform/redact.ts';
import { UnusableRedisError } from '../platform/redis/unusable-redis-error.ts';
import { SettingsError } from '../platform/settings/settings.ts';
import { UnusableRecordLogError } from '../records/record-log.ts';

const FIXABLE = [
  FolderInUseError,
  JournalCorruptError,
  UnusableDatabaseError,
  UnusableFolderError,
  UnusableRecordLogError,
  UnusableRedisError,
];

export function explainError(error: Error): string {
  return redactText(explain(error));
}

function explain(error: Error): string {
  if (error instanceof SettingsError) {
    return `fairline: invalid settings\n${error.message}\nAll settings: docs/reference/configuration.md`;
  }
  if (FIXABLE.some((kind) => error instanceof kind)) return `fairline: ${error.message}`;
  if ('code' in error && error.code === 'EADDRINUSE') {
    return `fairline: port already in use (${error.message}). Set PORT to a free port.`;
  }
  return `fairline: ${error.stack}`;
}
