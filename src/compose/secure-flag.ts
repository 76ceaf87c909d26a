/** Whether cookies in the response carry the Secure flag. */
import type { Caller } from '../platform/http-server/callers.ts';

export function secureFlag(setting: 'auto' | 'on' | 'off'): (caller: Pick<Caller, 'protocol'>) => boolean {
  return (caller) => setting === 'on' || (setting === 'auto' && caller.protocol === 'https');
}
