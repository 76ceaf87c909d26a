/** The colours of the map: those of the theme, or of the system where the visitor forces colours. */
export interface Inks {
  ground: string;
  ink: string;
  soft: string;
  line: string;
  taken: string;
  chosen: string;
  onChosen: string;
  mine: string;
  onMine: string;
  /** By price, highest first. */
  tiers: readonly string[];
}

const FREE_INKS = {
  light: ['#2447c5', '#0e7490', '#a3480a', '#7a2aa8', '#96104a'],
  dark: ['#93abff', '#63cfe8', '#ffb27a', '#d3a0ff', '#ff9cc2'],
};
const FORCED: Inks = {
  ground: 'Canvas',
  ink: 'CanvasText',
  soft: 'CanvasText',
  line: 'GrayText',
  taken: 'GrayText',
  chosen: 'Highlight',
  onChosen: 'HighlightText',
  mine: 'Highlight',
  onMine: 'HighlightText',
  tiers: ['LinkText', 'CanvasText', 'LinkText', 'CanvasText', 'LinkText'],
};

/** What a change of makes another choice of colours. */
export const inkQueries = ['(prefers-color-scheme: dark)', '(prefers-contrast: more)', '(forced-colors: active)'];

export function readInks(): Inks {
  if (matchMedia('(forced-colors: active)').matches) return FORCED;
  const style = getComputedStyle(document.documentElement);
  const colour = (name: string) => style.getPropertyValue(`--${name}`).trim();
  return {
    ground: colour('card'),
    ink: colour('ink'),
    soft: colour('soft'),
    line: colour('line'),
    taken: colour('line'),
    chosen: colour('ink'),
    onChosen: colour('card'),
    mine: colour('good'),
    onMine: colour('card'),
    tiers: FREE_INKS[matchMedia('(prefers-color-scheme: dark)').matches ? 'dark' : 'light'],
  };
}
