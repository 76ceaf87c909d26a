/** The result of one check: its state, what was found and, for a warning or problem, what to do. */
export interface Check {
  what: string;
  state: 'ok' | 'warning' | 'problem';
  found: string;
  advice?: string;
}

export const ok = (what: string, found: string): Check => ({ what, state: 'ok', found });
export const warning = (what: string, found: string, advice: string): Check => ({
  what,
  state: 'warning',
  found,
  advice,
});
export const problem = (what: string, found: string, advice: string): Check => ({
  what,
  state: 'problem',
  found,
  advice,
});
