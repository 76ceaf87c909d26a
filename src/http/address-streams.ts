/** Limits what is open at once per IP address: streams, and requests and connections of `fairline gate`. */
export class AddressStreams {
  readonly #limit: number;
  readonly #counts = new Map<string, number>();

  /** 0: no limit. */
  constructor(limit: number) {
    this.#limit = limit;
  }

  /** False if the address has reached the limit. */
  tryTake(address: string): boolean {
    const count = this.#counts.get(address) ?? 0;
    if (this.#limit > 0 && count >= this.#limit) return false;
    this.#counts.set(address, count + 1);
    return true;
  }

  giveBack(address: string): void {
    const count = this.#counts.get(address) ?? 0;
    if (count > 1) this.#counts.set(address, count - 1);
    else this.#counts.delete(address);
  }
}
