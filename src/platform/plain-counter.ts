/**
 * A counter with one label that is cheap to increment: plain numbers, copied to prom-client only on a scrape.
 * prom-client's own counter hashes its labels on every increment.
 */
import { Counter, type Registry } from 'prom-client';

export interface PlainCounterOptions {
  name: string;
  help: string;
  label: string;
  registers: Registry[];
}

export class PlainCounter<Value extends string> {
  readonly #counts = new Map<Value, number>();

  constructor({ name, help, label, registers }: PlainCounterOptions) {
    const counts = this.#counts;
    new Counter({
      name,
      help,
      labelNames: [label],
      registers,
      collect() {
        this.reset();
        for (const [value, count] of counts) this.inc({ [label]: value }, count);
      },
    });
  }

  inc(value: Value): void {
    this.#counts.set(value, (this.#counts.get(value) ?? 0) + 1);
  }
}
