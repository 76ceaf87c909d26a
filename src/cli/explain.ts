/** Mistakes that an operator can mend are told in a sentence; anything else with its stack. */
import { UnusableDatabaseError } from '../platform/database/database-errors.ts';
import { FolderInUseError } from '../platform/journal/folder-lock.ts';
import { JournalCorruptError } from '../platform/journal/journal-frames.ts';
import { UnusableRedisError } from '../platform/redis/unusable-redis-error.ts';
import { SettingsError } from '../platform/settings/settings.ts';

const TELLABLE = [FolderInUseError, JournalCorruptError, UnusableDatabaseError, UnusableRedisError];

export function explain(error: Error): string {
  if (error instanceof SettingsError) {
    return `fairline cannot start, because of these settings:\n${error.message}\n(docs/configuration.md lists them all)`;
  }
  if (TELLABLE.some((kind) => error instanceof kind)) return `fairline: ${error.message}`;
  if ('code' in error && error.code === 'EADDRINUSE') {
    return `fairline: the port is taken (${error.message}). Choose another one with PORT.`;
  }
  return `fairline: ${error.stack}`;
}
