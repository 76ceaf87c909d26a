/** The share of visitors who went from each step to the next. */
export interface Conversion {
  joined: number;
  admitted: number;
  held: number;
  paid: number;
  /** Fractions with four digits; null if nobody reached the previous step. */
  admittedOfJoined: number | null;
  heldOfAdmitted: number | null;
  paidOfHeld: number | null;
  paidOfJoined: number | null;
}

interface Steps {
  joined: number;
  admitted: number;
  created: number;
  confirmed: number;
}

export function toConversion({ joined, admitted, created: held, confirmed: paid }: Steps): Conversion {
  return {
    joined,
    admitted,
    held,
    paid,
    admittedOfJoined: share(admitted, joined),
    heldOfAdmitted: share(held, admitted),
    paidOfHeld: share(paid, held),
    paidOfJoined: share(paid, joined),
  };
}

function share(some: number, all: number): number | null {
  return all === 0 ? null : Math.round((some / all) * 10_000) / 10_000;
}
