/** What a waiting page shows. Rendered by the browser (render.ts) and, without JavaScript, by the server (plain-page.ts). */

export type Action = 'enter' | 'join' | 'leave' | 'alert';

export interface Row {
  id: string;
  label: string;
  value: string;
}

export interface View {
  documentTitle: string;
  title: string;
  /** The name of the event. */
  subtitle: string | undefined;
  number: { label: string; value: string } | undefined;
  /** Share of the wait that is over, 0 to 1. */
  progress: number | undefined;
  rows: Row[];
  say: string;
  tone: 'calm' | 'warn' | 'turn';
  notes: string[];
  hint: string | undefined;
  link: { href: string; label: string } | undefined;
  actions: Action[];
  joinLabel: string;
}
