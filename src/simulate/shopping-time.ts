/** Distributions of how long visitors stay inside. */
import { exponential, logNormal, type Random } from './random.ts';

export type ShoppingTime =
  | { kind: 'fixed'; seconds: number }
  | { kind: 'uniform'; from: number; to: number }
  | { kind: 'exponential'; mean: number }
  | { kind: 'lognormal'; median: number; spread: number };

export const SHOPPING_FORMS =
  'SECONDS (median of a lognormal distribution), lognormal:MEDIAN:SPREAD, exponential:MEAN, uniform:FROM:TO or fixed:SECONDS';

const USUAL_SPREAD = 0.6;
const LONGEST_SECONDS = 86_400;

/** undefined if the text is none of SHOPPING_FORMS. */
export function parseShoppingTime(text: string): ShoppingTime | undefined {
  const [kind, ...rest] = /^\d/.test(text) ? ['lognormal', text, String(USUAL_SPREAD)] : text.split(':');
  const numbers = rest.map((part) => (/^\d+(\.\d+)?$/.test(part) ? Number(part) : Number.NaN));
  const [a = Number.NaN, b = Number.NaN] = numbers;
  const isSeconds = (value: number) => value > 0 && value <= LONGEST_SECONDS;
  if (kind === 'fixed' && numbers.length === 1 && isSeconds(a)) return { kind, seconds: a };
  if (kind === 'exponential' && numbers.length === 1 && isSeconds(a)) return { kind, mean: a };
  if (numbers.length !== 2 || !isSeconds(a)) return undefined;
  if (kind === 'uniform' && isSeconds(b) && b >= a) return { kind, from: a, to: b };
  if (kind === 'lognormal' && b >= 0 && b <= 2) return { kind, median: a, spread: b };
  return undefined;
}

export function sampleSeconds(time: ShoppingTime, random: Random): number {
  switch (time.kind) {
    case 'fixed':
      return time.seconds;
    case 'uniform':
      return time.from + random() * (time.to - time.from);
    case 'exponential':
      return exponential(random, time.mean);
    case 'lognormal':
      return logNormal(random, time.median, time.spread);
  }
}
