/** The text catalogues in all languages, and the formatting of times and money. */
import { describe, expect, it } from 'vitest';
import { catalogues, visitorCatalogues } from '../../src/pages/texts/catalogues.ts';
import { checkout } from '../../src/pages/texts/checkout-en.ts';
import { formatDuration, formatMinutes, formatMoney, formatPrices, formatWait } from '../../src/pages/texts/format.ts';
import { toLanguage, toVisitorLanguage } from '../../src/pages/texts/language.ts';

const placeholdersOf = (text: string) => (text.match(/\{\w+\}/g) ?? []).sort();

describe('the catalogues', () => {
  const parts = Object.entries(catalogues.en) as [keyof typeof catalogues.en, Record<string, string>][];

  it.each(parts)('%s has the same placeholders in each language', (part, texts) => {
    const korean: Record<string, string> = catalogues.ko[part];
    for (const [name, text] of Object.entries(texts)) {
      expect([name, placeholdersOf(korean[name]!)]).toEqual([name, placeholdersOf(text)]);
      expect(korean[name]!.trim()).not.toBe('');
    }
  });

  const visitorParts = ['common', 'waiting', 'tier1', 'shop', 'frame', 'questions', 'pass'] as const;
  it.each(['ja', 'zh-Hans'] as const)('have every text for visitors in %s, with the same placeholders', (language) => {
    for (const part of visitorParts) {
      const texts: Record<string, string> = visitorCatalogues[language][part];
      for (const [name, text] of Object.entries(catalogues.en[part])) {
        expect([name, placeholdersOf(texts[name]!)]).toEqual([name, placeholdersOf(text)]);
        expect(texts[name]!.trim()).not.toBe('');
      }
      expect(Object.keys(texts).sort()).toEqual(Object.keys(catalogues.en[part]).sort());
    }
  });

  it('are those of the visitor’s choice, else of the first language that the browser asks for', () => {
    expect(toVisitorLanguage('ja', 'ko-KR')).toBe('ja');
    expect(toVisitorLanguage('xx', 'zh-CN,zh;q=0.9,en;q=0.8')).toBe('zh-Hans');
    expect(toVisitorLanguage(undefined, 'fr-FR,fr;q=0.9,ja;q=0.8,en;q=0.7')).toBe('ja');
    expect(toVisitorLanguage(undefined, 'ko-KR,ko,en')).toBe('ko');
    expect(toVisitorLanguage(undefined, undefined)).toBe('en');
  });

  it('name each text once: the parts of the shop do not hide each other', () => {
    const names = Object.keys(catalogues.en.shop);
    expect(Object.keys(checkout).filter((name) => !names.includes(name))).toEqual([]);
    expect(
      Object.entries(checkout).filter(([name, text]) => catalogues.en.shop[name as keyof typeof checkout] !== text),
    ).toEqual([]);
  });

  it('follow the visitor’s choice first, then Accept-Language', () => {
    expect(toLanguage('en', 'ko-KR,ko')).toBe('en');
    expect(toLanguage('fr', 'ko-KR,ko')).toBe('ko');
    expect(toLanguage(undefined, 'fr-FR,fr;q=0.9,ko;q=0.8,en;q=0.7')).toBe('ko');
    expect(toLanguage(undefined, undefined)).toBe('en');
  });
});

describe('formatting', () => {
  it('shows a wait as a range of minutes or hours', () => {
    const { waiting } = catalogues.en;
    const wait = (low: number, high: number) => formatWait({ low, high }, waiting);
    expect(wait(5, 40)).toBe('less than a minute');
    expect(wait(20, 60)).toBe('about 1 min');
    expect(wait(130, 300)).toBe('2 to 5 min');
    expect(wait(300, 300)).toBe('about 5 min');
    expect(wait(4_000, 9_000)).toBe('1 h 6 min to 2 h 30 min');
    expect(wait(10, 300)).toBe('1 to 5 min');
    expect(formatWait({ low: 130, high: 300 }, catalogues.ko.waiting)).toBe('2~5분');
  });

  it('leaves out parts that are zero', () => {
    expect(formatWait({ low: 2_400, high: 7_200 }, catalogues.ko.waiting)).toBe('40분 ~ 2시간');
    expect(formatWait({ low: 3_600, high: 7_260 }, catalogues.en.waiting)).toBe('1 h to 2 h 1 min');
  });

  it('shows no range that is wider than three times its start', () => {
    expect(formatWait({ low: 39 * 60, high: 650 * 60 }, catalogues.ko.waiting)).toBe('계산 중');
    expect(formatWait({ low: 0, high: 660 }, catalogues.en.waiting)).toBe('still being worked out');
    expect(formatWait({ low: 240, high: 720 }, catalogues.en.waiting)).toBe('4 to 12 min');
  });

  it('shows a single estimate in hours from 90 minutes on', () => {
    const { waiting } = catalogues.en;
    expect([0, 2, 89, 319].map((minutes) => formatMinutes(minutes, waiting))).toEqual([
      'less than a minute',
      'about 2 min',
      'about 89 min',
      '5 h 19 min',
    ]);
  });

  it('shows a duration in minutes or seconds', () => {
    expect(formatDuration(300, catalogues.en.waiting)).toBe('5 min');
    expect(formatDuration(59.2, catalogues.ko.waiting)).toBe('60초');
    expect(formatDuration(-3, catalogues.ko.waiting)).toBe('0초');
  });

  it('shows money given in the smallest unit of its currency', () => {
    expect(formatMoney(88_000, 'KRW', 'ko')).toBe('88,000원');
    expect(formatMoney(1_999, 'USD', 'en')).toBe('$19.99');
    expect(formatPrices(1_000, 1_000, 'KRW', 'en')).toBe('₩1,000');
    expect(formatPrices(1_000, 2_000, 'KRW', 'en')).toBe('₩1,000 – ₩2,000');
  });
});
