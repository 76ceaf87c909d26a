/** Texts and formats in the visitor's language. Switching the language reloads the page. */
import { chooseLanguage, readVisitorLanguage, withTheme } from '../../design/browser.ts';
import * as en from '../../texts/en.ts';
import { formatCount, formatDate, formatDay, formatMoment, formatMoney, formatPrices } from '../../texts/format.ts';
import * as ja from '../../texts/ja.ts';
import * as ko from '../../texts/ko.ts';
import { fill, type VisitorLanguage } from '../../texts/language.ts';
import * as zhHans from '../../texts/zh-hans.ts';

/** Named one by one, to keep the texts of other pages out of the bundle. */
const catalogue = {
  ko: { common: ko.common, shop: ko.shop, frame: ko.frame },
  en: { common: en.common, shop: en.shop, frame: en.frame },
  ja: { common: ja.common, shop: ja.shop, frame: ja.frame },
  'zh-Hans': { common: zhHans.common, shop: zhHans.shop, frame: zhHans.frame },
} satisfies Record<VisitorLanguage, unknown>;

const language = readVisitorLanguage();

export const common = withTheme('common', language, catalogue[language].common);
export const frame = withTheme('frame', language, catalogue[language].frame);
export const texts = withTheme('shop', language, catalogue[language].shop);
export { fill, language };

export function switchLanguage(to: VisitorLanguage): void {
  chooseLanguage(to);
  location.reload();
}

export const count = (value: number): string => formatCount(value, language);
export const money = (amount: number, currency: string): string =>
  amount === 0 ? common.free : formatMoney(amount, currency, language);
export const date = (iso: string): string => formatDate(iso, language);
export const moment = (iso: string): string => formatMoment(iso, language);
export const day = (iso: string): string => formatDay(iso, language);
export const priceRange = ({ low, high }: { low: number; high: number }, currency: string): string =>
  high === 0 ? common.free : formatPrices(low, high, currency, language);

/** What a seat is called everywhere: by the name of its section, never by its id. */
export interface NamedSeat {
  sectionName: string;
  rowLabel: string;
  seatLabel: string;
  kind?: 'rows' | 'table';
  access?: 'wheelchair' | 'companion';
}

export function seatName({ sectionName, rowLabel, seatLabel, kind, access }: NamedSeat): string {
  const text = kind === 'table' ? texts.tableSeatName : texts.seatName;
  const name = fill(text, { section: sectionName, row: rowLabel, number: seatLabel });
  if (access === undefined) return name;
  return `${name} (${access === 'wheelchair' ? texts.wheelchair : texts.companion})`;
}
