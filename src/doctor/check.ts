/** What a check-up finds: each line says how it stands and, where it does not stand well, what to do. */
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
