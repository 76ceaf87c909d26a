/** How many of those who came to a step went on to the next. */
export interface Conversion {
  joined: number;
  admitted: number;
  held: number;
  paid: number;
  /** Parts of one, to four digits; null where nobody came to the step before. */
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
    admittedOfJoined: part(admitted, joined),
    heldOfAdmitted: part(held, admitted),
    paidOfHeld: part(paid, held),
    paidOfJoined: part(paid, joined),
  };
}

function part(some: number, all: number): number | null {
  return all === 0 ? null : Math.round((some / all) * 10_000) / 10_000;
}
