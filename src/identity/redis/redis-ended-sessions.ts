/** Ended operator sessions in Redis, for several processes without a database. */
import type { Clock } from '../../platform/clock.ts';
import { closeClient } from '../../platform/redis/connection.ts';
import type { RedisClient } from '../../platform/redis/scripts.ts';
import { toStoreError } from '../../platform/redis/store-errors.ts';
import type { EndedSessions } from '../ended-sessions.ts';
import { endedSessionKey } from './keys.ts';

export function createRedisEndedSessions(client: RedisClient, clock: Clock): EndedSessions {
  const toThrown = (error: unknown) => {
    throw toStoreError(error);
  };
  return {
    async end(sessionId, expiresAt) {
      const seconds = Math.max(1, Math.ceil(expiresAt - clock.now() / 1000));
      await client.set(endedSessionKey(sessionId), '1', 'EX', seconds).catch(toThrown);
    },
    async hasEnded(sessionId) {
      return (await client.exists(endedSessionKey(sessionId)).catch(toThrown)) === 1;
    },
    close: () => closeClient(client),
  };
}
