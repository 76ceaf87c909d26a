/** Two journeys without a mouse: a visitor from the event to the ticket, an operator from nothing to a running sale. */
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { describeWithBrowser, openPage, startBrowser } from '../support/browser.ts';
import { secrets } from '../support/test-app.ts';
import { until } from '../support/until.ts';
import { MINA } from './buyer-form.ts';
import { LAYOUT, shareShopDatabase } from './shop-site.ts';

vi.setConfig({ testTimeout: 180_000 });

const MOST_TABS = 200;

describeWithBrowser('by keyboard alone', () => {
  let browser: Browser;
  beforeAll(async () => {
    browser = await startBrowser();
  });
  afterAll(() => browser?.close());
  const { openSite } = shareShopDatabase();

  /** Moves on until the focus is there, and expects that it can be seen. */
  async function tabTo(page: Page, selector: string): Promise<void> {
    await page.locator(selector).first().waitFor();
    const isThere = () => page.evaluate(`document.activeElement?.matches(${JSON.stringify(selector)}) ?? false`);
    for (let pressed = 0; pressed < MOST_TABS && !(await isThere()); pressed += 1) await page.keyboard.press('Tab');
    expect([selector, await isThere()]).toEqual([selector, true]);
    const outline = (await page.evaluate('getComputedStyle(document.activeElement).outlineStyle')) as string;
    expect([selector, outline]).not.toEqual([selector, 'none']);
  }
  const press = async (page: Page, selector: string, key = 'Enter') => {
    await tabTo(page, selector);
    await page.keyboard.press(key);
  };
  const write = async (page: Page, selector: string, text: string) => {
    await tabTo(page, selector);
    await page.keyboard.press('Control+A');
    await page.keyboard.type(text);
  };

  it('a visitor joins, waits, chooses a seat and pays', async () => {
    const { url, eventId, context } = await openSite({ room: { maxActive: 0 } });
    const page = await openPage(browser, { locale: 'en-GB' });
    await page.goto(`${url}/events/${eventId}`);
    await press(page, '.event-action a.button');
    await page.locator('#ahead').waitFor();
    await press(page, '#leave');
    await page.locator('dialog[open]').waitFor();
    await page.keyboard.press('Escape');
    expect(await page.evaluate('document.activeElement.id')).toBe('leave');
    await context.line.rooms.putRoom(eventId, { maxActive: 10 });
    await page.waitForURL(/\/seats$/);
    await press(page, 'canvas', 'ArrowRight');
    await page.keyboard.press('Enter');
    await page.locator('.choice li').waitFor();
    await press(page, '.choice button.main');
    await page.waitForURL(/\/checkout\//);
    for (const [name, value] of Object.entries(MINA)) await write(page, `input[name=${name}]`, value);
    await press(page, 'input[name=terms]', 'Space');
    await press(page, '.checkout [type=submit]');
    await page.waitForURL(/\/reservations\//);
    await page.locator('.qr').first().waitFor();
  });

  it('an operator sets up an event, publishes it, and changes its room', async () => {
    const { url, context } = await openSite({ env: { ADMIN_TOKEN: secrets.ADMIN_TOKEN } });
    const { events } = context.shop!;
    await events.putLayout('hall', LAYOUT);
    const page = await openPage(browser, { locale: 'en-US', timezoneId: 'Asia/Seoul' });
    await page.goto(`${url}/admin`);
    await write(page, '#token', secrets.ADMIN_TOKEN);
    await page.keyboard.press('Enter');
    await press(page, 'nav a[href="#/events"]');
    await press(page, '#new-event');
    const eventId = `by-keyboard-${Date.now()}`;
    await write(page, '#event-title', 'By keyboard');
    await write(page, '#event-id', eventId);
    await tabTo(page, '#event-startsAt');
    // Month, day and year, then hour and minute: each is a part of the field.
    for (const part of ['05', '01', '2100']) await page.keyboard.type(part);
    await page.keyboard.press('ArrowRight');
    for (const part of ['07', '00', 'PM']) await page.keyboard.type(part);
    await press(page, '#next');
    await press(page, '#step-image #skip');
    await press(page, '#step-seats input[value=hall]', 'Space');
    await press(page, '#next');
    await page.locator('#step-times').waitFor();
    await press(page, '#next');
    await page.locator('#step-limits').waitFor();
    await write(page, '#room-limit', '250');
    await press(page, '#next');
    await page.locator('#step-review').waitFor();
    await press(page, '#next');
    await write(page, '#question-word', eventId);
    await page.keyboard.press('Enter');
    await page.locator('#step-rehearse').waitFor();
    expect(await events.findEvent(eventId)).toMatchObject({ state: 'open', startsAt: '2100-05-01T10:00:00.000Z' });

    await press(page, 'nav a[href="#/"]');
    await press(page, `#rooms a[href="#/rooms/${eventId}"]`);
    await write(page, '#limit', '300');
    await page.keyboard.press('Enter');
    const roomOf = async () => (await context.line.rooms.findRoom(eventId))!;
    await until('the limit', async () => (await roomOf()).overrides.maxActive === 300);
    await press(page, '#close');
    await page.locator('dialog[open]').waitFor();
    await page.keyboard.press('Escape');
    expect(await page.evaluate('document.activeElement.id')).toBe('close');
    await press(page, '#close');
    await press(page, 'dialog [type=submit]');
    await until('the room to close', async () => (await roomOf()).crowd.phase === 'closed');
  });
});
