/** The funnel from joining the line to a paid ticket. */

import type { Conversion } from '../../../stats/conversion.ts';
import { formatCount } from '../../texts/format.ts';
import { fill } from '../../texts/language.ts';
import type { Desk } from '../controls/desk.ts';
import { el, setText } from '../controls/dom.ts';
import { section } from '../controls/panel.ts';

const STEPS = ['joined', 'admitted', 'held', 'paid'] as const;
const PARTS = {
  joined: undefined,
  admitted: 'admittedOfJoined',
  held: 'heldOfAdmitted',
  paid: 'paidOfHeld',
} as const;

export function conversionPanel({ texts, language }: Desk): {
  root: HTMLElement;
  update(conversion: Conversion): void;
} {
  const steps = STEPS.map((name) => {
    const label = texts[`step_${name}`];
    const count = el('strong');
    const part = el('span', { className: 'about' });
    const meter = el('meter', { min: 0, attributes: { 'aria-label': label } });
    return {
      ...{ name, count, part, meter },
      root: el('li', {}, el('div', { className: 'step' }, el('span', { textContent: label }), count), meter, part),
    };
  });
  const whole = el('p');
  return {
    root: section(
      'conversion',
      texts.conversion,
      el('p', { className: 'about', textContent: texts.conversionAbout }),
      el('ol', { className: 'funnel' }, ...steps.map(({ root }) => root)),
      whole,
    ),
    update(conversion) {
      const most = Math.max(1, ...STEPS.map((name) => conversion[name]));
      for (const { name, count, part, meter } of steps) {
        const field = PARTS[name];
        setText(count, formatCount(conversion[name], language));
        setText(part, field === undefined ? '' : fill(texts.ofStepBefore, { part: percent(conversion[field]) }));
        meter.max = most;
        meter.value = conversion[name];
      }
      setText(whole, fill(texts.paidOfJoined, { part: percent(conversion.paidOfJoined) }));
    },
  };

  function percent(part: number | null): string {
    if (part === null) return texts.unknown;
    return part.toLocaleString(language, { style: 'percent', maximumFractionDigits: 1 });
  }
}
