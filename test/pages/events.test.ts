/** The listing and the page of an event in a real browser, in every phase. */
import type { Browser, BrowserContextOptions, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { axeViolations } from '../support/axe.ts';
import { describeWithBrowser, openPage, startBrowser } from '../support/browser.ts';
import { until } from '../support/until.ts';
import { LAYOUT, type ShopSite, shareShopDatabase } from './shop-site.ts';

const HOUR = 3_600_000;
const english = { locale: 'en-US', timezoneId: 'Asia/Seoul', viewport: { width: 320, height: 800 } };
const fromNow = (hours: number) => new Date(Date.now() + hours * HOUR).toISOString();

describeWithBrowser('the pages of events', () => {
  let browser: Browser;
  beforeAll(async () => {
    browser = await startBrowser();
  });
  afterAll(() => browser?.close());
  const { openSite } = shareShopDatabase();

  async function visit(path: string, options: BrowserContextOptions = english): Promise<Page> {
    const page = await openPage(browser, options);
    await page.goto(path);
    return page;
  }
  const says = (page: Page, text: string) => page.getByText(text).first().waitFor();
  const change = ({ context, eventId }: ShopSite, fields: object) => context.shop!.events.putEvent(eventId, fields);

  it('shows times in the zone of the venue, and the reader’s own beside it', async () => {
    const site = await openSite();
    await change(site, { startsAt: '2100-05-01T10:00:00Z', timeZone: 'Asia/Seoul' });
    const abroad = await visit(`${site.url}/events/${site.eventId}`, {
      locale: 'en-US',
      timezoneId: 'America/New_York',
    });
    await says(abroad, 'Saturday, May 1, 2100 at 7:00 PM (Korean Standard Time)');
    await says(abroad, 'Your time: Saturday, May 1, 2100 at 6:00 AM (Eastern Daylight Time)');
    const home = await visit(`${site.url}/events/${site.eventId}`, { locale: 'ko-KR', timezoneId: 'Asia/Seoul' });
    await says(home, '2100년 5월 1일 토요일 오후 7:00 (한국 표준시)');
    expect(await home.getByText('내 지역 시간').count()).toBe(0);
    const listing = await visit(`${site.url}/`, { locale: 'en-US', timezoneId: 'America/New_York' });
    const card = listing.locator(`a[href="/events/${site.eventId}"]`);
    await card.waitFor();
    expect(await card.innerText()).toMatch(/May 1, 2100, 7:00\sPM \(GMT\+9\)/);
  });

  const phases: [phase: string, room: object, fields: () => object, says: string, buttons: string[]][] = [
    ['announced', {}, () => ({ onSaleAt: fromNow(48) }), 'On sale soon', ['Go to the waiting room']],
    ['presale', {}, () => ({ onSaleAt: fromNow(2) }), 'Presale', ['Get tickets']],
    ['on-sale', {}, () => ({}), 'On sale', ['Get tickets']],
    ['paused', { state: 'paused' }, () => ({}), 'Sales are paused', ['Go to the line']],
    [
      'sold-out',
      { followStock: true },
      () => ({}),
      'Returned tickets go to the waiting list',
      ['Join the waiting list'],
    ],
    ['ended', {}, () => ({ startsAt: fromNow(-1) }), 'Ticket sales for this event have ended', []],
    ['cancelled', {}, () => ({}), 'This event has been cancelled', []],
  ];
  it.each(phases)(
    'shows an event that is %s, without barriers and at 320 px',
    async (phase, room, fields, text, buttons) => {
      const single = [{ id: 'A', name: 'Front', rows: 1, seatsPerRow: 1, price: 90_000 }];
      const isSoldOut = phase === 'sold-out';
      const site = await openSite({
        room,
        ...(isSoldOut && { layout: { ...LAYOUT, sections: single, standing: [] } }),
      });
      await change(site, fields());
      const { events, holds } = site.context.shop!;
      if (phase === 'cancelled') await events.cancelEvent(site.eventId);
      if (isSoldOut) await holds.holdSeats({ eventId: site.eventId, visitor: 'ann', seats: { ids: ['A-1-1'] } });
      expect(await (await fetch(`${site.url}/api/events/${site.eventId}`)).json()).toMatchObject({ phase });
      const page = await visit(`${site.url}/events/${site.eventId}`);
      await says(page, text);
      const links = page.locator('.event-action a.button');
      expect(await links.allInnerTexts()).toEqual(buttons);
      expect(await page.evaluate('document.documentElement.scrollWidth')).toBeLessThanOrEqual(320);
      expect(await axeViolations(page)).toEqual([]);
      await page.goto(`${site.url}/`);
      await page.locator(`a[href="/events/${site.eventId}"]`).waitFor();
      expect(await page.evaluate('document.documentElement.scrollWidth')).toBeLessThanOrEqual(320);
      expect(await axeViolations(page)).toEqual([]);
    },
  );

  it.each([
    ['ended', 'SALES_ENDED'],
    ['cancelled', 'EVENT_CANCELLED'],
  ])('admits nobody to an event that is %s, and refuses its seat map', async (phase, code) => {
    const site = await openSite({ room: { maxActive: 0 } });
    const page = await visit(`${site.url}/queue/${site.eventId}`);
    await says(page, 'People ahead of you');
    if (phase === 'ended') await change(site, { startsAt: fromNow(-1) });
    else await site.context.shop!.events.cancelEvent(site.eventId);
    await until(
      'the room to close',
      async () => (await site.context.line.rooms.findRoom(site.eventId))!.crowd.phase === 'closed',
    );
    await site.context.line.rooms.putRoom(site.eventId, { maxActive: 100 });
    const map = await fetch(`${site.url}/api/seats/events/${site.eventId}`);
    expect([map.status, await map.json()]).toMatchObject([409, { error: { code } }]);
    expect(page.url()).toContain('/queue/');
  });

  it('sells nothing once the event has begun: neither on its page, nor in the line, nor to a visitor inside', async () => {
    const site = await openSite();
    const page = await visit(`${site.url}/queue/${site.eventId}`);
    await page.waitForURL(/\/seats$/);
    await page.locator('canvas').waitFor();
    await change(site, { startsAt: fromNow(-1), salesEndAt: fromNow(1) });
    const other = await visit(`${site.url}/events/${site.eventId}`);
    await other.getByRole('link', { name: 'Get tickets' }).waitFor();
    await change(site, { salesEndAt: null });
    const refused = await page.request.post(`${site.url}/api/seats/reserve`, {
      data: { eventId: site.eventId, seatIds: ['A-1-1'] },
      headers: { origin: site.url },
    });
    expect([refused.status(), await refused.json()]).toMatchObject([409, { error: { code: 'SALES_ENDED' } }]);
    await page.reload();
    await says(page, 'Sales for this event have ended.');
    expect(await page.locator('canvas').count()).toBe(0);
    await page.goto(`${site.url}/events/${site.eventId}`);
    await says(page, 'Ticket sales for this event have ended');
    expect(await page.locator('.event-action a.button').count()).toBe(0);
  });

  it('finds events by words, month and state, and shows past events apart', async () => {
    const site = await openSite();
    const old = await openSite();
    await change(site, { title: 'Needle in the hay' });
    await change(old, { title: 'Long ago', startsAt: fromNow(-48) });
    const page = await visit(`${site.url}/`, { locale: 'en-US', viewport: { width: 1280, height: 900 } });
    await page.getByRole('region', { name: 'Past events' }).getByText('Long ago').waitFor();
    await page.getByLabel('Search events').fill('needle');
    await until('only one to be left', async () => (await page.locator('.event-card').count()) === 1);
    await page.getByLabel('Status').selectOption({ label: 'Sales ended' });
    await says(page, 'No event matches your search.');
    await page.getByRole('button', { name: 'Show all events' }).click();
    await says(page, 'Long ago');
  });

  it('are in the language that the visitor chooses, and stay so', async () => {
    const site = await openSite();
    const page = await visit(`${site.url}/events/${site.eventId}`);
    await page.getByLabel('Language').first().selectOption('日本語');
    await says(page, 'チケットを購入');
    expect(await page.getAttribute('html', 'lang')).toBe('ja');
    await page.getByRole('link', { name: 'チケットを購入' }).click();
    await page.waitForURL(/\/seats$/);
    await says(page, 'おすすめの座席');
    const chinese = await visit(`${site.url}/queue/nothing`, { locale: 'zh-CN' });
    await says(chinese, '未找到该演出');
  });

  it('fills the card of the listing with the poster', async () => {
    const site = await openSite();
    const page = await visit(`${site.url}/`, { ...english, viewport: { width: 390, height: 844 } });
    const poster = page.locator(`a[href="/events/${site.eventId}"] .poster-image`);
    await poster.waitFor();
    expect(await page.evaluate("getComputedStyle(document.querySelector('.event-card .poster-image')).padding")).toBe(
      '0px',
    );
  });

  it('says that there are no standing tickets, and leads to the seats', async () => {
    const { url, eventId } = await openSite({ layout: { ...LAYOUT, standing: [] } });
    const page = await visit(`${url}/queue/${eventId}`);
    await page.waitForURL(/\/seats$/);
    await page.goto(`${url}/events/${eventId}/book`);
    await says(page, 'This event has no standing tickets.');
    await page.getByRole('link', { name: 'Choose your seats' }).click();
    await page.waitForURL(/\/seats$/);
  });
});
