/** Fills in the checkout. */
import type { Page } from 'playwright-core';

export const MINA = { name: '김미나', email: 'mina@example.org', phone: '010-1234-5678' };

/** The buyer and the consent, without which the page does not pay. */
export async function fillBuyer(page: Page, buyer: Partial<typeof MINA> = {}): Promise<void> {
  for (const [name, value] of Object.entries({ ...MINA, ...buyer }))
    await page.fill(`.buyer input[name=${name}]`, value);
  await page.check('input[name=terms]');
}
