import { expect, it } from 'vitest';
import { RememberedTokens } from '../../../src/platform/jwt/remembered-tokens.ts';

const SAME_END = '.signature-with-the-same-end';

it('never takes a token for another one with the same end', () => {
  const remembered = new RememberedTokens<string>(10);
  remembered.set(`one${SAME_END}`, 'one');
  expect([remembered.get(`one${SAME_END}`), remembered.get(`two${SAME_END}`)]).toEqual(['one', undefined]);
  remembered.set(`two${SAME_END}`, 'two');
  expect([remembered.get(`one${SAME_END}`), remembered.get(`two${SAME_END}`)]).toEqual([undefined, 'two']);
  expect([remembered.get(''), remembered.get('end')]).toEqual([undefined, undefined]);
});
