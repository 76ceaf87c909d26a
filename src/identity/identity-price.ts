/**
 * What a new identity costs, in steps of work: nothing for the first ones of an address, then one step more for each that came
 * from there lately. Pure. A shared address (a company, a carrier's NAT) pays more and more, and still gets in.
 */

export interface Price {
  /** 0: nothing. */
  steps: number;
  /** By how much the load of this process raises it; 1: not at all. */
  load: number;
}

/** What came from an address and from the IPv6 network around it lately, each as a count that decays. */
export interface Lately {
  address: number;
  network: number;
  /** Identities per second in this process, over all addresses. */
  perSecond: number;
}

/** A network has this many times the allowance of an address, and its price rises as many times slower. */
const NETWORK_SHARE = 32;
/** Work rises with the load above this rate. */
const CALM_PER_SECOND = 100;
const MAX_LOAD = 8;
/** In units of the cheapest work: with the default digits about 17 million hashes, some 20 seconds in a browser. */
const MAX_WORK = 256;
/** A client has 2 ** 32 attempts, of which it needs 16 to the power of the zeros. */
const MAX_ZEROS = 7;
/** The price may rise this much while a client solves. */
const TOLERANCE = 4;

/** `allowance`: how many identities of an address are free; 0: all. */
export function priceOf({ address, network, perSecond }: Lately, allowance: number): Price {
  const load = Math.min(MAX_LOAD, Math.max(1, Math.round(perSecond / CALM_PER_SECOND)));
  if (allowance === 0) return { steps: 0, load };
  const byAddress = stepsAbove(address, allowance);
  const byNetwork = stepsAbove(network / NETWORK_SHARE, allowance);
  return { steps: Math.max(byAddress, byNetwork), load };
}

/** As leading zeros (each is 16 times the work) and hashes per attempt, so that the work rises evenly. */
export function toWork({ steps, load }: Price, digits: number): { zeros: number; cost: number } {
  let work = Math.min(MAX_WORK, Math.max(1, steps) * load);
  let zeros = digits;
  while (work >= 16 && zeros < MAX_ZEROS) {
    work /= 16;
    zeros += 1;
  }
  return { zeros, cost: Math.round(work) };
}

/**
 * Whether work at `paidSteps` is enough now. Without this, a client could collect cheap challenges first and solve them
 * afterwards. The load is not compared: it can rise at once, and is no fault of this address.
 */
export function isEnough(paidSteps: number, { steps }: Price): boolean {
  return steps <= (paidSteps + 1) * TOLERANCE;
}

function stepsAbove(count: number, allowance: number): number {
  // Counts decay all the time; without rounding, the allowance would be one more a moment after the last identity.
  return Math.max(0, Math.ceil(count - 0.5) - allowance + 1);
}
