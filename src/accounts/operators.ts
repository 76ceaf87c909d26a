/** Operators: who may change a room, and the trail of what they changed. */
import { appendFile } from 'node:fs/promises';
import type { IncomingHttpHeaders } from 'node:http';
import { join } from 'node:path';
import type { Logger } from 'pino';
import { AppError } from '../errors.ts';
import type { Clock } from '../platform/clock.ts';
import { isSameSecret } from '../platform/tokens.ts';
import { bearerOf } from './visitor.ts';

export interface AuditEntry {
  action: string;
  eventId: string;
  from: string;
  traceId: string;
  details: Record<string, unknown>;
}

export interface Operators {
  /** Throws OPERATOR_ONLY unless the request carries the operators' token. */
  require(headers: IncomingHttpHeaders): void;
  /** Writes the trail; resolves when the line is in the file. */
  audit(entry: AuditEntry): Promise<void>;
}

export interface OperatorsOptions {
  adminToken: string;
  dataDir: string;
  clock: Clock;
  log: Logger;
}

export function createOperators({ adminToken, dataDir, clock, log }: OperatorsOptions): Operators {
  const trail = join(dataDir, 'audit.jsonl');
  return {
    require({ authorization }) {
      if (authorization === undefined || !isSameSecret(bearerOf(authorization), adminToken)) {
        throw new AppError('OPERATOR_ONLY');
      }
    },
    async audit(entry) {
      const line = { at: new Date(clock.now()).toISOString(), ...entry };
      log.info({ audit: line }, `operator: ${entry.action} ${entry.eventId}`);
      await appendFile(trail, `${JSON.stringify(line)}\n`, { mode: 0o600 });
    },
  };
}
