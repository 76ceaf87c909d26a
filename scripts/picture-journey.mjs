/** The journey of a visitor as one strip: the event, the line, the turn, the seats, the payment, the ticket. */
import { Strip } from './picture-strip.mjs';

const WIDTH = 390;
const PER_ROW = 3;
const EVENT = 'han-river';

export async function takeVisitorJourney({ page, sale, file }) {
  const strip = new Strip(page);
  await page.goto(`${sale.url}/events/${EVENT}`);
  await page.locator('.facts').waitFor();
  await strip.add();

  await sale.crowd(EVENT, 30 + 126);
  await page.locator('.event-action a.main').click();
  await page.locator('#ahead').waitFor();
  await page.locator('#poster:not([hidden])').waitFor();
  await sale.crowd(EVENT, 74);
  await strip.add();

  await sale.operate('PUT', `rooms/${EVENT}`, { maxActive: 1_000 });
  await page.locator('#time-left').waitFor();
  await strip.add();

  await page.locator('#enter').click();
  await page.waitForURL(/\/seats$/);
  await page.locator('canvas').waitFor();
  await holdBest(page);
  await strip.add();

  await pay(page);
  await strip.add();

  await fillBuyer(page);
  await page.locator('.checkout button.main').click();
  await page.waitForURL(/\/reservations\//);
  await page.locator('.qr').first().waitFor();
  await strip.add();
  await strip.save(file, { width: WIDTH, perRow: PER_ROW });
}

/** The page shows the seats that were found; its banner leads on to the payment. */
export async function holdBest(page) {
  await page.locator('.best button[type=submit]').click();
  await page.locator('.banner.held a').waitFor();
}

export async function pay(page) {
  await page.locator('.banner.held a').first().click();
  await page.waitForURL(/\/checkout\//);
  await page.locator('.methods').waitFor();
}

export async function fillBuyer(page) {
  for (const [name, value] of Object.entries({ name: '김미나', email: 'mina@example.org', phone: '010-1234-5678' })) {
    await page.fill(`.buyer input[name=${name}]`, value);
  }
  await page.check('input[name=terms]');
}
