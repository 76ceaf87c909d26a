/** Metrics of the keys that sign tokens. A file has a bounded number of keys, so a key id may be a label. */
import { Counter, Gauge, type Registry } from 'prom-client';
import type { Clock } from '../platform/clock.ts';
import type { KeyFileFollower } from './key-file-follower.ts';

export function createSignedCounter(registry: Registry): (keyId: string) => void {
  const signed = new Counter({
    name: 'fairline_tokens_signed_total',
    help: 'Entry tokens, vwr tokens and staff passes that this process signed with a key pair, by key',
    labelNames: ['kid'],
    registers: [registry],
  });
  return (kid) => signed.inc({ kid });
}

export function measureKeys(registry: Registry, keys: Pick<KeyFileFollower, 'list'>, clock: Clock): void {
  new Gauge({
    name: 'fairline_token_key_age_seconds',
    help: 'Age of the keys that this process knows; state: next, signs, accepted or expired',
    labelNames: ['kid', 'state'],
    registers: [registry],
    collect() {
      this.reset();
      for (const { id, state, createdAt } of keys.list()) {
        this.set({ kid: id, state }, Math.max(0, (clock.now() - createdAt) / 1000));
      }
    },
  });
}
