/** The shop in a real browser, from the event to the ticket, in both languages, by touch, keyboard and list. */
import type { Browser, BrowserContextOptions, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { describeWithBrowser, openPage, startBrowser } from '../support/browser.ts';
import { until } from '../support/until.ts';
import { fillBuyer, MINA } from './buyer-form.ts';
import { LAYOUT, type ShopSite, shareShopDatabase } from './shop-site.ts';

const languages = [
  { locale: 'en-GB', get: 'Get tickets', pay: 'Pay', paid: 'Paid.', mine: 'My tickets' },
  { locale: 'ko-KR', get: '예매하기', pay: '결제하기', paid: '결제가 완료되었습니다', mine: '예매 내역' },
];
const english = { locale: 'en-GB', viewport: { width: 1000, height: 900 } };

describeWithBrowser('the shop', () => {
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
  const button = (page: Page, name: string) => page.getByRole('button', { name });
  const says = (page: Page, text: string) => page.getByText(text).first().waitFor();
  /** Goes through the line to the seat list. */
  async function enter({ url, eventId }: ShopSite, options?: BrowserContextOptions): Promise<Page> {
    const page = await visit(`${url}/queue/${eventId}`, options);
    await page.waitForURL(/\/seats$/);
    await button(page, 'List').click();
    return page;
  }
  const seat = (page: Page, name: string) => page.getByRole('button', { name: new RegExp(`: ${name},`) });

  it.each(languages)('leads from the event to the ticket in $locale', async ({ locale, get, pay, paid, mine }) => {
    const { url, eventId } = await openSite();
    const page = await visit(`${url}/`, { locale });
    const complaints: string[] = [];
    page.on('console', (message) => message.type() === 'error' && complaints.push(message.text()));
    page.on('pageerror', (error) => complaints.push(error.message));
    await page.locator(`a[href="/events/${eventId}"]`).click();
    await says(page, 'Seoul Hall');
    expect(await page.getAttribute('html', 'lang')).toBe(locale.slice(0, 2));
    await page.getByRole('link', { name: get }).click();
    await page.waitForURL(/\/seats$/);
    await page.locator('canvas').waitFor();
    await page.locator('.best button[type=submit]').click();
    await page.locator('.banner.held a').click();
    await page.waitForURL(/\/checkout\//);
    expect(await page.locator('.items .sum').innerText()).toContain('180,000');
    await fillBuyer(page);
    await button(page, pay).click();
    await page.waitForURL(/\/reservations\//);
    await says(page, paid);
    const qr = page.locator('img.qr').first();
    await until('the code to be drawn', () =>
      qr.evaluate((img) => (img as unknown as { naturalWidth: number }).naturalWidth > 0),
    );
    await page.getByRole('link', { name: mine }).first().click();
    await page.locator('.reservations li').first().waitFor();
    // Without accounts the account lookup is a 404.
    expect(complaints.filter((text) => !text.includes('404'))).toEqual([]);
  });

  it('selects a seat on the map by touch: the first tap zooms in, the second selects', async () => {
    const sections = [{ id: 'A', name: 'Front', rows: 60, seatsPerRow: 60, price: 90_000 }];
    const site = await openSite({ layout: { ...LAYOUT, sections } });
    const page = await visit(`${site.url}/queue/${site.eventId}`, {
      locale: 'en-GB',
      viewport: { width: 390, height: 844 },
      hasTouch: true,
      isMobile: true,
    });
    await page.waitForURL(/\/seats$/);
    await page.locator('canvas').scrollIntoViewIfNeeded();
    const box = (await page.locator('canvas').boundingBox())!;
    const tap = () => page.touchscreen.tap(box.x + box.width / 2, box.y + box.height / 2);
    await tap();
    expect(await page.locator('.choice li').count()).toBe(0);
    await tap();
    await page.locator('.choice li').waitFor();
    await button(page, 'Continue to payment').click();
    await page.waitForURL(/\/checkout\//);
  });

  it('shows a seat as taken when another visitor takes it, and tells those who had selected it', async () => {
    const site = await openSite();
    const [one, other] = [await enter(site), await enter(site)];
    await seat(one, 'Front, row 1, seat 3').click();
    await seat(other, 'Front, row 1, seat 3').click();
    await button(one, 'Continue to payment').click();
    await one.waitForURL(/\/checkout\//);
    await says(other, 'That seat was just taken: Front, row 1, seat 3.');
    expect(await seat(other, 'Front, row 1, seat 3').isDisabled()).toBe(true);
    // On the map it has the colour of taken seats.
    await button(other, 'Map').click();
    await until('the seat to be drawn', () => isGrey(other));
    await button(one, 'Release the seats').first().click();
    await one.getByRole('dialog').getByRole('button', { name: 'Release the seats' }).click();
    await until('the seat to be free again', async () => !(await isGrey(other)));
  });

  it('refuses more than the limit per person', async () => {
    const site = await openSite({ maxPerPerson: 1 });
    const page = await enter(site);
    await seat(page, 'Front, row 1, seat 1').click();
    await seat(page, 'Front, row 1, seat 2').click();
    await says(page, 'Limit per person: 1.');
    await site.context.shop!.holds.holdSeats({
      eventId: site.eventId,
      visitor: 'somebody',
      seats: { best: 6, section: 'B' },
    });
    await page.locator('.best select').last().selectOption('B');
    await page.locator('.choice li button').click();
    await page.locator('.best button[type=submit]').click();
    await page.locator('.banner.held a').click();
    await page.waitForURL(/\/checkout\//);
  });

  it('leads back from the checkout, and in a second tab, to the payment of held seats, or releases them', async () => {
    const site = await openSite({ maxPerPerson: 1 });
    const page = await enter(site);
    await seat(page, 'Front, row 1, seat 3').click();
    await button(page, 'Continue to payment').click();
    await page.waitForURL(/\/checkout\//);
    await says(page, 'Front, row 1, seat 3');
    const tab = await page.context().newPage();
    await tab.goto(`${site.url}/events/${site.eventId}/seats`);
    await says(tab, 'You are holding Front, row 1, seat 3.');
    await page.goBack();
    await says(page, 'You are holding Front, row 1, seat 3.');
    await button(page, 'List').click();
    await page.getByRole('button', { name: 'Front, row 1, seat 3, held for you' }).waitFor();
    await button(page, 'Release them').click();
    await seat(page, 'Front, row 1, seat 3').click();
    await says(page, 'Front, row 1, seat 3: selected');
    await page.getByRole('link', { name: 'Continue to payment' }).waitFor({ state: 'detached' });
  });

  it('says that a cancelled event is cancelled instead of showing its map', async () => {
    const site = await openSite();
    const page = await enter(site);
    await site.context.shop!.events.cancelEvent(site.eventId);
    await page.reload();
    await says(page, 'This event has been cancelled.');
    expect(await page.locator('canvas').count()).toBe(0);
  });

  it('calls a seat by one name on the map, at the checkout, and on the ticket', async () => {
    const named = { ...LAYOUT.sections[0]!, name: 'Stalls', rowLabels: ['AA', 'BB', 'CC', 'DD'], firstSeat: 101 };
    const site = await openSite({ layout: { ...LAYOUT, sections: [named] } });
    const page = await enter(site);
    await page.locator('.seat-list select').last().selectOption('1');
    await seat(page, 'Stalls, row BB, seat 102').click();
    await says(page, 'Stalls, row BB, seat 102: selected');
    await button(page, 'Continue to payment').click();
    await page.waitForURL(/\/checkout\//);
    await page.locator('.items', { hasText: 'Stalls, row BB, seat 102' }).first().waitFor();
    await fillBuyer(page);
    await button(page, 'Pay').click();
    await page.waitForURL(/\/reservations\//);
    await page.locator('.entry', { hasText: 'Stalls' }).first().waitFor();
    expect(await page.locator('.entry').first().innerText()).toMatch(/Stalls[\s\S]*BB[\s\S]*102/);
    await page.goto(`${site.url}/me`);
    await page.getByText('Stalls, row BB, seat 102').first().waitFor({ state: 'attached' });
  });

  it.each([
    ['is gone', undefined],
    ['is restarting', 503],
  ])('says so where seats are chosen while the server %s, and goes on when it is back', async (_, status) => {
    const site = await openSite();
    const page = await enter(site);
    await seat(page, 'Front, row 1, seat 1').waitFor();
    const fail = (paths: string) =>
      page.route(paths, (route) =>
        status === undefined ? route.abort() : route.fulfill({ status, contentType: 'text/html', body: 'away' }),
      );
    await fail('**/api/seats/**');
    await page.reload();
    await says(page, 'Connection lost. Reconnecting automatically.');
    expect(await page.getByText('Event not found').count()).toBe(0);
    await fail('**/api/**');
    await page.reload();
    await says(page, 'Connection problem. Reconnecting automatically.');
    expect(await page.getByText('Your session has ended').count()).toBe(0);
    await page.unrouteAll();
    await page.locator('canvas').waitFor();
  });

  it('sells standing tickets', async () => {
    const site = await openSite({ layout: { ...LAYOUT, sections: [] } });
    const page = await visit(`${site.url}/queue/${site.eventId}`);
    await page.waitForURL(/\/book$/);
    await button(page, 'Floor: One more').click();
    await button(page, 'Floor: One more').click();
    await button(page, 'Floor: One fewer').click();
    await button(page, 'Continue to payment').click();
    await page.waitForURL(/\/checkout\//);
    await says(page, '1 × Floor');
  });

  it('shows when sales start for members and for all, and refuses holds before', async () => {
    const site = await openSite({ layout: { ...LAYOUT, sections: [] } });
    const page = await visit(`${site.url}/events/${site.eventId}`);
    await says(page, 'Seoul Hall');
    expect(await page.getByText('On sale from').count()).toBe(0);
    await site.context.shop!.events.putEvent(site.eventId, { onSaleAt: '2099-03-02T01:00:00Z' });
    await page.reload();
    await says(page, 'On sale from');
    await says(page, 'For members from');
    expect(await page.locator('dl').innerText()).toMatch(
      /members from\s+Sunday, March 1, 2099[\s\S]*\s+On sale from\s+Monday, March 2, 2099/,
    );
    await page.goto(`${site.url}/queue/${site.eventId}`);
    await page.waitForURL(/\/book$/);
    await button(page, 'Floor: One more').click();
    await button(page, 'Continue to payment').click();
    await says(page, 'Sales have not started yet');
  });

  it('accepts another card after a declined one, and waits for a late response', async () => {
    const site = await openSite();
    const page = await enter(site);
    await seat(page, 'Front, row 1, seat 1').click();
    await button(page, 'Continue to payment').click();
    await fillBuyer(page);
    await page.getByLabel('Card that is declined').check();
    await button(page, 'Pay ₩90,000').click();
    await says(page, 'The card was declined');
    await page.getByLabel('after three seconds').check();
    await button(page, 'Pay ₩90,000').click();
    await page.waitForURL(/\/reservations\//);
    await says(page, 'Paid.');
  });

  it('shows when the hold has expired', async () => {
    const site = await openSite({ env: { HOLD_SECONDS: '2' } });
    const page = await enter(site);
    await seat(page, 'Front, row 1, seat 2').click();
    await button(page, 'Continue to payment').click();
    await says(page, 'Your hold has expired');
    await page.getByRole('link', { name: 'Choose again' }).click();
    await page.waitForURL(/\/seats$/);
  });

  it('cancels a reservation after confirmation', async () => {
    const site = await openSite();
    const page = await enter(site);
    await seat(page, 'Front, row 1, seat 1').click();
    await button(page, 'Continue to payment').click();
    await fillBuyer(page);
    await button(page, 'Pay').click();
    await page.waitForURL(/\/reservations\//);
    await page.goto(`${site.url}/me`);
    await button(page, 'Cancel and refund').click();
    await button(page, 'Keep it').click();
    await says(page, 'paid');
    await button(page, 'Cancel and refund').click();
    await page.getByRole('dialog').getByRole('button', { name: 'Cancel and refund' }).click();
    await says(page, 'You will be refunded in full.');
    await says(page, 'cancelled');
  });

  it('sends visitors without a session to the line, and shows an empty ticket list', async () => {
    const { url, eventId } = await openSite();
    const page = await visit(`${url}/events/${eventId}/seats`);
    await page.getByRole('link', { name: 'Go to the line' }).click();
    await page.waitForURL(/\/seats$/);
    await page.goto(`${url}/me`);
    await says(page, 'You have no tickets yet.');
    await page.goto(`${url}/events/nothing`);
    await says(page, 'Event not found.');
  });

  it('works by keyboard alone, from the event to the ticket', async () => {
    const { url, eventId } = await openSite();
    const page = await visit(`${url}/events/${eventId}`);
    await says(page, 'Get tickets');
    const tabTo = (name: string) =>
      until(`the focus on ${name}`, async () => {
        await page.keyboard.press('Tab');
        const focused = await page.evaluate(
          "(document.activeElement?.getAttribute('aria-label') ?? '') + (document.activeElement?.textContent ?? '')",
        );
        return String(focused).includes(name);
      });
    await tabTo('Get tickets');
    await page.keyboard.press('Enter');
    await page.waitForURL(/\/seats$/);
    await page.locator('canvas').waitFor();
    await tabTo('Seat map');
    await page.keyboard.press('ArrowRight');
    await page.keyboard.press('ArrowRight');
    await says(page, 'Front, row 1, seat 2, ₩90,000: available');
    await page.keyboard.press('Enter');
    await says(page, 'Front, row 1, seat 2: selected');
    await tabTo('Continue to payment');
    await page.keyboard.press('Enter');
    await page.waitForURL(/\/checkout\//);
    await says(page, 'Time left to pay');
    for (const [label, value] of Object.entries(MINA)) {
      await until(`the focus on ${label}`, async () => {
        await page.keyboard.press('Tab');
        return (await page.evaluate('document.activeElement?.name')) === label;
      });
      await page.keyboard.type(value);
    }
    await until('the focus on the consent', async () => {
      await page.keyboard.press('Tab');
      return (await page.evaluate('document.activeElement?.name')) === 'terms';
    });
    await page.keyboard.press('Space');
    await tabTo('Pay ₩90,000');
    await page.keyboard.press('Enter');
    await page.waitForURL(/\/reservations\//);
    await says(page, 'Paid.');
  });

  it('stays small; only pages without personal data are cacheable', async () => {
    const { url, eventId } = await openSite();
    const headers = { 'accept-encoding': 'gzip' };
    const home = await fetch(`${url}/`, { headers });
    expect(home.headers.get('cache-control')).toMatch(/^public/);
    expect(home.headers.get('content-security-policy')).not.toContain('unsafe');
    for (const path of [`/events/${eventId}/seats`, '/me', '/checkout/r_1', '/reservations/r_1']) {
      expect((await fetch(`${url}${path}`)).headers.get('cache-control')).toBe('no-store');
    }
    const files = [...(await home.text()).matchAll(/(?:src|href)="(\/assets\/[^"]+)"/g)].map(([, path]) => path!);
    expect(files).toHaveLength(2);
    const sizes = await Promise.all(
      files.map(async (path) => {
        const response = await fetch(`${url}${path}`, { headers });
        expect(response.headers.get('cache-control')).toContain('immutable');
        return Number(response.headers.get('content-length'));
      }),
    );
    const first = sizes.reduce((sum, size) => sum + size, Number(home.headers.get('content-length')));
    expect(first).toBeLessThan(150 * 1024);
  });
});

/** Whether any pixel of the map has the colour of taken seats. */
function isGrey(page: Page): Promise<boolean> {
  return page.evaluate(`(() => {
    const canvas = document.querySelector('canvas');
    const hex = getComputedStyle(document.documentElement).getPropertyValue('--line').trim();
    const wanted = [1, 3, 5].map((at) => parseInt(hex.slice(at, at + 2), 16));
    const { data } = canvas.getContext('2d').getImageData(0, canvas.height * 0.3, canvas.width, canvas.height * 0.7);
    for (let i = 0; i < data.length; i += 4) {
      if (wanted.every((value, channel) => data[i + channel] === value)) return true;
    }
    return false;
  })()`) as Promise<boolean>;
}
