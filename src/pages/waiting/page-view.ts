/** What a waiting page shows. Rendered by the browser (render.ts) and, without JavaScript, by the server (plain-page.ts). */

export type Action = 'enter' | 'join' | 'leave' | 'alert';

export interface Row {
  id: string;
  label: string;
  value: string;
}

/** The one figure that matters in this state. */
export interface Hero {
  id: 'ahead' | 'countdown' | 'time-left';
  label: string;
  value: string;
  /** After the figure, smaller. */
  unit: string;
}

/** The kinds of the status line. They differ in colour and in sign. */
export type Kind = 'calm' | 'paused' | 'lost' | 'closed' | 'sold-out' | 'turn';

export const BANNERS: Readonly<Record<Kind, string>> = {
  calm: 'banner',
  paused: 'banner warning paused',
  lost: 'banner warning lost',
  closed: 'banner danger',
  'sold-out': 'banner danger sold-out',
  turn: 'banner success',
};

export interface View {
  documentTitle: string;
  /** Above the title. */
  eyebrow: string | undefined;
  /** The name of the event, where it is known. */
  title: string;
  /** Where the event takes place. */
  subtitle: string | undefined;
  /** Of the event whose poster is shown. */
  posterOf: string | undefined;
  hero: Hero | undefined;
  /** Share of the wait that is over, 0 to 1. */
  progress: number | undefined;
  /** The expected wait and the time at which it ends. */
  facts: Row[];
  say: { kind: Kind; title: string | undefined; text: string };
  /** When the figures were last confirmed. */
  updated: string | undefined;
  notes: string[];
  rows: Row[];
  number: { label: string; value: string } | undefined;
  hint: string | undefined;
  link: { href: string; label: string } | undefined;
  /** A file for the visitor's calendar. */
  reminder: { href: string; label: string } | undefined;
  actions: Action[];
  joinLabel: string;
  /** Until when the shop refunds tickets of this event. */
  refund: { until: string; isOver: boolean } | undefined;
  /** Fills the screen: it is the visitor's turn. */
  isTurn: boolean;
}

/** Whether the visitor is in line or about to be: only then the answers are true. */
export function hasQuestions({ isTurn, say, actions }: View): boolean {
  return !isTurn && say.kind !== 'closed' && !actions.includes('join');
}
