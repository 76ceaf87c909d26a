import type { Mutant } from './mutant.d.mts';

export const mutants: readonly Mutant[];
