/** The journey of an operator as one strip: details, poster, seats, times, limits, review, rehearsal, the room during it. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import sharp from 'sharp';
import { ADMIN_TOKEN } from './picture-sale.mjs';
import { Strip } from './picture-strip.mjs';
import { root } from './set-up.mjs';

const SIZE = { width: 1200, height: 900 };
const WIDTH = 600;
const PER_ROW = 2;
const EVENT = 'autumn-sky';
const DETAILS = {
  title: 'Autumn Sky',
  artist: 'The Queues',
  venue: 'Seoul Concert Hall',
  timeZone: 'Asia/Seoul',
  startsAt: '2027-10-09T19:00',
  description: 'Doors open at six. One night only.',
  currency: 'KRW',
};
const ON_SALE = '2027-09-01T20:00';
const LIMIT = 10;
const VISITORS = 120;
/** Faster than a real crowd: the rehearsal of the picture takes less than a minute. */
const PACE = ['--arrival-minutes', '0.3', '--shopping', '4'];

export async function takeOperatorJourney({ page, sale, file }) {
  const strip = new Strip(page);
  const next = async (step) => {
    await page.click('#next');
    await page.locator(`#step-${step}`).waitFor();
    await page.evaluate(() => scrollTo(0, 0));
  };
  await page.setViewportSize(SIZE);
  await page.goto(`${sale.url}/admin#/events`);
  await page.fill('#token', ADMIN_TOKEN);
  await page.keyboard.press('Enter');
  await page.click('#new-event');
  await page.locator('#step-details').waitFor();
  for (const [name, value] of Object.entries(DETAILS)) await page.fill(`#event-${name}`, value);
  await strip.add();

  await next('image');
  await page.setInputFiles('input[type=file]', {
    name: 'poster.png',
    mimeType: 'image/png',
    buffer: await drawPoster(),
  });
  await page.locator('#poster-preview canvas, #poster-preview img').waitFor();
  await strip.add();

  await next('seats');
  await page.check('input[value=arena]');
  await strip.add();

  await next('times');
  await page.fill('#event-onSaleAt', ON_SALE);
  await strip.add();

  await next('limits');
  await page.fill('#room-limit', String(LIMIT));
  await strip.add();

  await next('review');
  await page.locator('#review-list').waitFor();
  await strip.add();

  await page.click('#next');
  await page.fill('#question-word', EVENT);
  await page.click('dialog [type=submit]');
  await page.locator('#step-rehearse').waitFor();
  await page.fill('#rehearse-visitors', String(VISITORS));
  await strip.add();

  const rehearsal = rehearse(await page.innerText('#rehearse-command'));
  await page.goto(`${sale.url}/admin#/rooms/rehearsal-${EVENT}`);
  await waitingInRoom(page, VISITORS / 3);
  await strip.add();
  await rehearsal;
  await strip.save(file, { width: WIDTH, perRow: PER_ROW });
}

/** Runs the command that the page shows, and fails unless every goal of it is met. */
async function rehearse(command) {
  const args = command.split(/\s+/).slice(2);
  const child = spawn(process.execPath, [join(root, 'dist/src/main.js'), ...args, ...PACE], {
    env: { PATH: process.env.PATH, ADMIN_TOKEN },
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  const [status] = await once(child, 'exit');
  if (status !== 0) throw new Error(`${command}: exit status ${status}`);
}

async function waitingInRoom(page, count) {
  await page.waitForFunction((wanted) => {
    const waiting = document.querySelector('.facts.large dd')?.textContent ?? '';
    return Number(waiting.replace(/\D/g, '')) >= wanted;
  }, count);
}

function drawPoster() {
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="900" height="1200">
    <defs><linearGradient id="sky" x1="0" y1="0" x2="0" y2="1"><stop offset="0" stop-color="#0b1b4d"/>
    <stop offset="0.6" stop-color="#a3395b"/><stop offset="1" stop-color="#f6a04d"/></linearGradient></defs>
    <rect width="900" height="1200" fill="url(#sky)"/><circle cx="640" cy="330" r="130" fill="#ffe9b8"/>
    <path d="M0 980 Q 230 820 450 960 T 900 900 V 1200 H 0 Z" fill="#160c2a"/></svg>`;
  return sharp(Buffer.from(svg)).png().toBuffer();
}
