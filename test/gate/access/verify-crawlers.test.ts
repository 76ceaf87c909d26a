import { describe, expect, it } from 'vitest';
import { CrawlerVerifier, type Resolver } from '../../../src/gate/access/verify-crawlers.ts';
import { createTestClock } from '../../support/test-clock.ts';

const GOOGLE = 'Mozilla/5.0 (compatible; Googlebot/2.1; +http://www.google.com/bot.html)';
const wanted = new Set(['googlebot', 'bingbot'] as const);

function createWorld(names: Record<string, string[]>, addresses: Record<string, string[]>) {
  const clock = createTestClock();
  const asked: string[] = [];
  const resolver: Resolver = {
    async reverse(address) {
      asked.push(address);
      const found = names[address];
      if (found === undefined) throw new Error('SERVFAIL');
      return found;
    },
    lookUp: async (name) => addresses[name] ?? [],
  };
  const verifier = new CrawlerVerifier({ clock, resolver });
  /** The first answer, and the one after the verification. */
  const ask = async (address: string | undefined, agent: string | undefined = GOOGLE) => {
    const first = verifier.find(wanted, agent, address);
    await verifier.settled();
    return [first, verifier.find(wanted, agent, address)];
  };
  return { clock, asked, verifier, ask };
}

const NAME = 'crawl-66-249-66-1.googlebot.com';

describe('a crawler', () => {
  it('is an ordinary visitor until DNS has confirmed it both ways', async () => {
    const { ask, asked } = createWorld({ '66.249.66.1': [NAME.toUpperCase()] }, { [NAME]: ['66.249.66.1'] });
    expect(await ask('66.249.66.1')).toEqual([undefined, 'googlebot']);
    expect(await ask('66.249.66.1')).toEqual(['googlebot', 'googlebot']);
    expect(asked).toEqual(['66.249.66.1']);
  });

  it('is recognized by an IPv4 address written as IPv6, and by IPv6 in another spelling', async () => {
    const { ask } = createWorld(
      { '::ffff:66.249.66.1': [NAME], '2001:db8:0::1': [`${NAME}.`] },
      { [NAME]: ['66.249.66.1', '2001:db8::1'] },
    );
    expect((await ask('::ffff:66.249.66.1'))[1]).toBe('googlebot');
    expect((await ask('2001:db8:0::1'))[1]).toBe('googlebot');
  });

  it.each([
    ['a name in another domain', ['crawl.example.com'], { 'crawl.example.com': ['192.0.2.1'] }],
    ['a name that only contains the domain', ['googlebot.com.example'], { 'googlebot.com.example': ['192.0.2.1'] }],
    ['a name that only ends like it', ['evilgooglebot.com'], { 'evilgooglebot.com': ['192.0.2.1'] }],
    ['a forged name that leads elsewhere', [NAME], { [NAME]: ['66.249.66.1'] }],
    ['a name of another crawler', ['x.search.msn.com'], { 'x.search.msn.com': ['192.0.2.1'] }],
    ['no name', [], {}],
  ])('is refused with %s', async (_, names, addresses) => {
    const { ask } = createWorld({ '192.0.2.1': names }, addresses);
    expect(await ask('192.0.2.1')).toEqual([undefined, undefined]);
  });

  it('costs no lookup unless the user agent claims to be one, or without an address', async () => {
    const { ask, asked, verifier } = createWorld({}, {});
    await ask('192.0.2.1', 'Mozilla/5.0 Firefox/130.0');
    expect(verifier.find(wanted, undefined, '192.0.2.1')).toBeUndefined();
    await ask(undefined);
    expect(asked).toEqual([]);
  });

  it('is verified again later: soon after a failure, seldom after a success', async () => {
    const { ask, asked, clock } = createWorld({ '66.249.66.1': [NAME] }, { [NAME]: ['66.249.66.1'] });
    await ask('66.249.66.1');
    await ask('192.0.2.9');
    await ask('192.0.2.9');
    expect(asked).toEqual(['66.249.66.1', '192.0.2.9']);
    clock.advance(61_000);
    await ask('66.249.66.1');
    await ask('192.0.2.9');
    expect(asked).toEqual(['66.249.66.1', '192.0.2.9', '192.0.2.9']);
    clock.advance(6 * 3_600_000);
    expect((await ask('66.249.66.1'))[0]).toBeUndefined();
  });

  it('asks for few addresses at a time', () => {
    const asked: string[] = [];
    const resolver: Resolver = {
      reverse: (address) => {
        asked.push(address);
        return new Promise(() => {});
      },
      lookUp: async () => [],
    };
    const verifier = new CrawlerVerifier({ clock: createTestClock(), resolver });
    for (let i = 0; i < 100; i += 1) verifier.find(wanted, GOOGLE, `192.0.2.${i}`);
    expect(asked).toHaveLength(20);
  });
});
