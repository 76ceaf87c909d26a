import { describe, expect, it } from 'vitest';
import { createPasswords } from '../../src/accounts/passwords.ts';
import { normaliseEmail } from '../../src/platform/email.ts';

describe('passwords', () => {
  it('are stored with their own salt and cost, and verified', async () => {
    const passwords = createPasswords();
    const [one, other] = await Promise.all([passwords.hash('correct horse'), passwords.hash('correct horse')]);
    expect(one).toMatch(/^scrypt\$15\$8\$3\$[\w-]{22}\$[\w-]{43}$/);
    expect(one).not.toBe(other);
    expect(await passwords.verify('correct horse', one)).toBe(true);
    expect(await passwords.verify('correct horsf', one)).toBe(false);
    expect(await passwords.verify('', undefined)).toBe(false);
  });

  it('are hashed few at a time; further requests are busy at once', async () => {
    const passwords = createPasswords({ logN: 4, blockSize: 8, rounds: 1 });
    const outcomes = await Promise.all(Array.from({ length: 25 }, () => passwords.verify('x', undefined)));
    expect(outcomes.filter((outcome) => outcome === 'busy')).toHaveLength(5);
    expect(await passwords.verify('x', undefined)).toBe(false);
  });
});

describe('an email', () => {
  it('is normalised to one form, and anything else is refused', () => {
    expect(normaliseEmail(' Ann@Example.ORG ')).toBe('ann@example.org');
    expect(normaliseEmail('ａｎｎ@example.org')).toBe('ann@example.org');
    for (const text of [
      'ann',
      'ann@',
      '@example.org',
      'ann@example',
      'a@b@example.org',
      'a b@example.org',
      'a@b＠c.de',
    ]) {
      expect(normaliseEmail(text), text).toBeUndefined();
    }
  });
});
