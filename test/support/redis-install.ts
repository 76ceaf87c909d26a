/** Finds redis-server, or installs Debian's where that can be done. */
import { hasProgram, installIfMissing, type Program } from './install.ts';

const redis: Program = { name: 'redis-server', versionFlag: '--version', debianPackage: 'redis-server' };

export const hasRedis = (): boolean => hasProgram(redis);

export const installRedisIfMissing = (): void => installIfMissing(redis);
