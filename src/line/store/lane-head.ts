/**
 * The head of one lane, as consecutive pulses show it. The head moves on as visitors are admitted, but also back: when a
 * visitor who was away returns, or one comes late with an earlier number of tier 1. A number behind the head is then no
 * proof of waiting, since its visitor may have been admitted before the head moved back. What the store confirms after
 * such a move is certain again.
 */
export class LaneHead {
  #head = Number.NEGATIVE_INFINITY;
  /** The highest head seen. */
  #passedTo = Number.NEGATIVE_INFINITY;
  /** When the head was last seen to have moved back; infinite if never. */
  #movedBackAt = Number.POSITIVE_INFINITY;
  /** Nothing is known about heads before this. */
  #watchedFrom = Number.NEGATIVE_INFINITY;

  /** The next pulse. `head`: infinite while nobody waits. */
  note(head: number, at: number): void {
    if (this.#passedTo === Number.POSITIVE_INFINITY) this.restart(head, at);
    if (head < this.#head) this.#movedBackAt = at;
    this.#head = head;
    this.#passedTo = Math.max(this.#passedTo, head);
  }

  /** The first pulse after others may have been missed. */
  restart(head: number, at: number): void {
    this.#head = head;
    this.#passedTo = head;
    this.#movedBackAt = Number.POSITIVE_INFINITY;
    this.#watchedFrom = at;
  }

  /** Whether the visitor with this number cannot have been admitted since `askedAt`, when the store said that they wait. */
  certainlyWaits(number: number, askedAt: number): boolean {
    if (number < this.#head || askedAt < this.#watchedFrom) return false;
    return number >= this.#passedTo || askedAt >= this.#movedBackAt;
  }
}
