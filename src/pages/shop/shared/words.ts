/** Texts and formats in the visitor's language. Switching the language reloads the page. */
import { chooseLanguage, readLanguage, withTheme } from '../../design/browser.ts';
import * as en from '../../texts/en.ts';
import { formatCount, formatDate, formatDay, formatMoment, formatMoney, formatPrices } from '../../texts/format.ts';
import * as ko from '../../texts/ko.ts';
import { fill } from '../../texts/language.ts';

/** Named one by one, to keep the texts of other pages out of the bundle. */
const catalogue = {
  ko: { common: ko.common, shop: ko.shop, frame: ko.frame },
  en: { common: en.common, shop: en.shop, frame: en.frame },
};

const language = readLanguage();

export const common = withTheme('common', language, catalogue[language].common);
export const frame = withTheme('frame', language, catalogue[language].frame);
export const texts = withTheme('shop', language, catalogue[language].shop);
export { fill, language };

export function switchLanguage(): void {
  chooseLanguage(language === 'ko' ? 'en' : 'ko');
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

export const seatName = (section: string, row: number, number: number): string =>
  fill(texts.seatName, { section, row, number });
