/** Several processes of the program that share one Redis, and the room `concert`. */
import { onTestFinished } from 'vitest';
import { startRedis } from './redis-server.ts';
import { type ServerProcess, startServer } from './server-process.ts';
import { tempFolder } from './temp-folder.ts';

export interface SharedLine {
  redis: Awaited<ReturnType<typeof startRedis>>;
  start(roles: string, env?: Record<string, string>): Promise<ServerProcess>;
}

/** Acknowledged writes survive a crash of Redis, but not of the machine: without fsync the tests are faster. */
export async function createSharedLine(env: Record<string, string> = {}): Promise<SharedLine> {
  const redis = await startRedis('--appendonly', 'yes', '--appendfsync', 'no');
  onTestFinished(() => redis.stop());
  return {
    redis,
    start: (roles, more = {}) =>
      startServer({
        DATA_DIR: tempFolder(),
        REDIS_URL: redis.url,
        FAIRLINE_ROLES: roles,
        QUEUE_ADMISSION_INTERVAL_MS: '100',
        ...env,
        ...more,
      }),
  };
}

export async function setRoom(server: ServerProcess, settings: Record<string, unknown>): Promise<void> {
  const { status, body } = await server.ask('PUT', '/api/admin/rooms/concert', { operator: true, body: settings });
  if (status !== 200 && status !== 201)
    throw new Error(`setting the room failed with ${status}: ${JSON.stringify(body)}`);
}

export function tokenIdOf(entryToken: string): string {
  return JSON.parse(Buffer.from(entryToken.split('.')[1]!, 'base64url').toString()).jti;
}
