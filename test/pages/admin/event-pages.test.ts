/** The guide to a new event and the layout editor, in a real browser against the running program. */
import type { Browser, BrowserContextOptions, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { axeViolations } from '../../support/axe.ts';
import { describeWithBrowser, openPage, startBrowser } from '../../support/browser.ts';
import { sharedPostgres } from '../../support/postgres-server.ts';
import { runApp } from '../../support/running-app.ts';
import { secrets } from '../../support/test-app.ts';
import { until } from '../../support/until.ts';

const english = { locale: 'en-GB', timezoneId: 'Europe/London' };
const phone = { locale: 'ko-KR', colorScheme: 'dark' as const, viewport: { width: 320, height: 700 } };

describeWithBrowser('the pages of events', () => {
  let browser: Browser;
  beforeAll(async () => {
    browser = await startBrowser();
  });
  afterAll(() => browser?.close());

  async function open() {
    const running = await runApp({
      room: { maxActive: 7 },
      env: {
        ADMIN_TOKEN: secrets.ADMIN_TOKEN,
        SHOP: 'on',
        DATABASE_URL: await (await sharedPostgres()).createDatabase(),
      },
    });
    const { events } = running.context.shop!;
    async function signIn(hash: string, options: BrowserContextOptions = english): Promise<Page> {
      const page = await openPage(browser, options);
      await page.goto(`${running.url}/admin${hash}`);
      await page.fill('#token', secrets.ADMIN_TOKEN);
      await page.keyboard.press('Enter');
      await page.waitForSelector('#sign-out');
      return page;
    }
    return { ...running, events, signIn };
  }
  const isShown = (page: Page, place: string, text: string) =>
    until(`${place} to say ${text}`, async () => {
      const found = page.locator(place).first();
      return (await found.count()) > 0 && (await found.isVisible()) && (await found.innerText()).includes(text);
    });
  const hall = {
    name: 'Hall',
    sections: [{ id: 'A', name: 'Stalls', rows: 3, seatsPerRow: 4, price: 900 }],
    standing: [{ id: 'floor', name: 'Floor', quantity: 10, price: 500 }],
  };

  it('lead from nothing to a scheduled sale, with every step saved', async () => {
    const { signIn, events, context } = await open();
    await events.putLayout('hall', hall);
    const page = await signIn('#/events');
    await page.click('#new-event');
    await page.waitForSelector('#step-details');
    await page.click('#next');
    await isShown(page, '#event-title-problem', 'required');
    expect(await page.evaluate('document.activeElement.id')).toBe('event-title');
    await page.fill('#event-title', 'Spring Night');
    await page.fill('#event-venue', 'Olympic Hall');
    await page.fill('#event-timeZone', 'Asia/Seoul');
    await page.fill('#event-startsAt', '2100-05-01T19:00');
    await page.fill('#event-currency', 'K1');
    await isShown(page, '#event-startsAt-zone', 'Asia/Seoul (UTC+09:00)');
    await page.click('#next');
    await isShown(page, '#event-currency-problem', 'three capital letters');
    await page.fill('#event-currency', 'KRW');
    await page.click('#next');
    await page.waitForSelector('#step-image');
    // 19:00 at the venue, whatever zone the operator is in.
    expect(await events.findEvent('spring-night')).toMatchObject({
      startsAt: '2100-05-01T10:00:00.000Z',
      timeZone: 'Asia/Seoul',
      state: 'draft',
    });
    await page.click('#skip');
    await page.waitForSelector('#step-seats');
    await page.click('#next');
    await isShown(page, '#layout-problem', 'Choose a layout');
    await page.check('input[value=hall]');
    await page.click('#next');
    await page.waitForSelector('#step-times');

    // Left here and resumed from the list.
    await page.goto('about:blank');
    await page.goBack();
    await page.waitForSelector('#step-times');
    await page.click('nav a[href="#/events"]');
    await isShown(page, '#events .badge', 'Draft');
    await page.click('#events .button');
    await page.waitForSelector('#step-times');
    await page.fill('#event-onSaleAt', '2100-06-01T10:00');
    await page.click('#next');
    await isShown(page, '#event-onSaleAt-problem', 'Must not be after');
    await page.fill('#event-onSaleAt', '2100-04-01T20:00');
    await page.click('#next');
    await page.waitForSelector('#step-limits');
    expect(await page.inputValue('#room-opensAt')).toBe('2100-04-01T20:00');
    await page.fill('#room-limit', '-1');
    await page.click('#next');
    await isShown(page, '#room-limit-problem', 'Enter 0 or more');
    await page.fill('#room-limit', '250');
    await page.fill('#room-rate', '5');
    await page.click('#next');

    await page.waitForSelector('#step-review');
    await isShown(page, '#review-list', '250');
    expect((await events.findEvent('spring-night'))!.state).toBe('draft');
    await page.click('#next');
    await page.fill('#question-word', 'spring-night');
    await page.click('dialog [type=submit]');
    await page.waitForSelector('#step-rehearse');
    await isShown(page, 'h1', 'Scheduled');
    await isShown(page, '#rehearse-command', '--event rehearsal-spring-night --visitors 1000 --limit 250 --rate 5');
    expect(await events.findEvent('spring-night')).toMatchObject({
      state: 'open',
      onSaleAt: '2100-04-01T11:00:00.000Z',
      seats: { total: 12 },
    });
    const { overrides } = (await context.line.rooms.findRoom('spring-night'))!;
    expect(overrides).toMatchObject({ maxActive: 250, admitPerSecond: 5, opensAt: '2100-04-01T11:00:00.000Z' });
  });

  it('publish nothing that has no seats', async () => {
    const { signIn, events } = await open();
    await events.putEvent('concert', { title: 'Great concert', startsAt: '2100-05-01T10:00:00Z' });
    const page = await signIn('#/events/concert/setup/review');
    await isShown(page, '#review-missing', 'no seats');
    expect(await page.isDisabled('#next')).toBe(true);
  });

  it('draw a layout with a curve and blocked seats, which is saved and read back', async () => {
    const { signIn, events } = await open();
    const page = await signIn('#/layouts/club');
    await page.waitForSelector('#save-layout');
    const complaints: string[] = [];
    page.on('console', (message) => message.type() === 'error' && complaints.push(message.text()));
    await page.click('#save-layout');
    await isShown(page, '#layout-name-problem', 'required');
    complaints.length = 0;
    await page.fill('#layout-name', 'Club');
    await page.fill('#section-rows', '4');
    await page.fill('#section-seatsPerRow', '10');
    await page.fill('#section-curve', '60');
    await page.fill('#section-price', '110000');
    await page.fill('#section-rowLabels', 'A, B, C, D');
    await isShown(page, '#seat-total', '40 seats');

    // Moved by mouse, then by keyboard.
    const section = page.locator('.map-item[data-index="0"]');
    const before = await section.boundingBox();
    await page.mouse.move(before!.x + before!.width / 2, before!.y + before!.height / 2);
    await page.mouse.down();
    await page.mouse.move(before!.x + before!.width / 2 + 60, before!.y + before!.height / 2 + 30, { steps: 4 });
    await page.mouse.up();
    expect(Number(await page.inputValue('#section-x'))).toBeGreaterThan(0);
    await page.click('#undo');
    expect(await page.inputValue('#section-x')).toBe('0');
    await section.focus();
    await page.keyboard.press('ArrowRight');
    await page.keyboard.press('r');
    expect(await page.inputValue('#section-x')).toBe('1');
    expect(await page.inputValue('#section-rotate')).toBe('5');

    // Seats by keyboard, then by mouse.
    await page.click('#tool-blocked');
    await section.focus();
    await page.keyboard.press('Space');
    await page.keyboard.press('ArrowRight');
    await page.keyboard.press('Space');
    await isShown(page, '#seat-total', '38 seats');
    await page.click('#tool-wheelchair');
    await section.focus();
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('Space');
    await page.click('#add-tables');
    await page.fill('#section-rows', '2');
    await page.click('#add-standing');
    await page.fill('#standing-quantity', '300');
    await page.click('#add-rows');
    await page.click('#remove');
    await page.click('#undo');
    await page.click('#redo');
    await isShown(page, '#preview', '50 seats in 2 sections, 300 standing tickets');
    expect(await axeViolations(page)).toEqual([]);
    await page.click('#save-layout');
    await isShown(page, '#status', 'Saved');
    expect(complaints).toEqual([]);
    const [saved] = await events.listLayouts();
    expect(saved).toMatchObject({
      layoutId: 'club',
      name: 'Club',
      sections: [
        {
          rows: 4,
          seatsPerRow: 10,
          curve: 60,
          rotate: 5,
          price: 110_000,
          blocked: ['1-1..2'],
          wheelchair: ['2-2'],
          rowLabels: ['A', 'B', 'C', 'D'],
        },
        { kind: 'table', rows: 2 },
      ],
      standing: [{ quantity: 300 }],
    });
    expect(saved!.sections[0]!.at!.x).toBe(1);
    await page.reload();
    await isShown(page, '#seat-total', '50 seats · 300 standing');
    expect(await page.inputValue('#section-curve')).toBe('60');
  });

  it('mark seats by clicking them', async () => {
    const { signIn, events } = await open();
    await events.putLayout('hall', hall);
    const page = await signIn('#/layouts/hall');
    await page.waitForSelector('.seat-open');
    await page.click('#tool-blocked');
    // The first seat of the path of seats.
    const at = (await page.evaluate(`(() => {
      const svg = document.querySelector('.editor-map');
      const [, x, y] = /^M([-\\d.]+) ([-\\d.]+)/.exec(svg.querySelector('.seat-open').getAttribute('d'));
      const point = new DOMPoint(Number(x) + 0.36, Number(y)).matrixTransform(svg.getScreenCTM());
      return { x: point.x, y: point.y };
    })()`)) as { x: number; y: number };
    await page.mouse.click(at.x, at.y);
    await isShown(page, '#seat-total', '11 seats');
    await page.click('#save-layout');
    await isShown(page, '#status', 'Saved');
    expect((await events.listLayouts())[0]!.sections[0]!.blocked).toEqual(['1-1']);
  });

  it('fit a screen of 320 px in Korean and dark, and pass axe', async () => {
    const { signIn, events } = await open();
    await events.putLayout('hall', hall);
    await events.putEvent('concert', {
      title: '봄밤 콘서트',
      startsAt: '2100-05-01T10:00:00Z',
      timeZone: 'Asia/Seoul',
    });
    const page = await signIn('#/events', phone);
    for (const [hash, shown] of [
      ['#/events', '#events .card'],
      ['#/events/concert', '#event-form'],
      ['#/events-new', '#step-details'],
      ...['details', 'image', 'seats', 'times', 'limits', 'review', 'rehearse'].map(
        (step) => [`#/events/concert/setup/${step}`, `#step-${step}`] as const,
      ),
      ['#/layouts', '#layouts .card'],
      ['#/layouts/hall', '#preview'],
    ] as const) {
      await page.evaluate(`location.hash = '${hash}'`);
      await page.locator(shown).first().waitFor();
      expect(await axeViolations(page), hash).toEqual([]);
      expect([hash, await page.evaluate('document.documentElement.scrollWidth <= innerWidth')]).toEqual([hash, true]);
    }
  });
});
