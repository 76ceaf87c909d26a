import fc from 'fast-check';
import { expect, it } from 'vitest';
import { Queue } from '../../../src/platform/collections/queue.ts';

it('a queue returns its items as an array does', () => {
  const steps = fc.array(fc.option(fc.integer(), { freq: 2 }), { maxLength: 200 });
  fc.assert(
    fc.property(steps, (all) => {
      const queue = new Queue<number>();
      const array: number[] = [];
      for (const item of all) {
        if (item === null) expect(queue.shift()).toBe(array.shift());
        else {
          queue.push(item);
          array.push(item);
        }
        expect(queue.size).toBe(array.length);
      }
    }),
  );
});
