/** The cookies of a visitor in a runtime whose fetch keeps none. */
import { describe, expect, it } from 'vitest';
import { CookieJar } from '../../src/client/cookie-jar.ts';

const setting = (...lines: string[]) => new Headers(lines.map((line): [string, string] => ['set-cookie', line]));

describe('the cookie jar', () => {
  it('sends what was set, and the newest value of a name', () => {
    const jar = new CookieJar('start=1; other=2');
    jar.keep(setting('__Host-fairline-guest=a=b; Path=/; HttpOnly', 'start=3; Max-Age=60'));
    expect(jar.toHeader().split('; ').sort()).toEqual(['__Host-fairline-guest=a=b', 'other=2', 'start=3']);
  });

  it('forgets what the server deletes and what has expired', () => {
    const jar = new CookieJar('gone=1; old=1');
    jar.keep(setting('gone=; Max-Age=0', 'old=; Expires=Thu, 01 Jan 1970 00:00:00 GMT', 'short=1; Max-Age=5'), 1_000);
    expect(jar.toHeader(5_999)).toBe('short=1');
    expect(jar.toHeader(6_000)).toBe('');
  });

  it('never holds more than 50', () => {
    const jar = new CookieJar();
    for (let count = 0; count < 200; count += 1) jar.keep(setting(`name${count}=1`));
    expect(jar.toHeader().split('; ')).toHaveLength(50);
  });
});
