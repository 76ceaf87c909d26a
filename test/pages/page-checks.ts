/** What every page must keep in every state: no violation of axe, no sideways scrolling, no motion, visible controls. */
import type { BrowserContextOptions, Page } from 'playwright-core';
import { axeViolations } from '../support/axe.ts';

/** A screen of 1280 x 1024 at 400 %, for readers who want no motion. */
export const zoomed: BrowserContextOptions = { viewport: { width: 320, height: 256 }, reducedMotion: 'reduce' };

/** Problems of the page as it is now; none if it is accessible. For pages with `reducedMotion: 'reduce'`. */
export async function pageProblems(page: Page, state: string): Promise<string[]> {
  const found = [...(await axeViolations(page)), ...(await sideways(page)), ...(await moving(page))];
  return found.map((problem) => `${state}: ${problem}`);
}

async function sideways(page: Page): Promise<string[]> {
  const [content, screen] = (await page.evaluate('[document.documentElement.scrollWidth, innerWidth]')) as number[];
  return content! > screen! ? [`scrolls sideways, ${content} px on a screen of ${screen} px`] : [];
}

async function moving(page: Page): Promise<string[]> {
  const names = await page.evaluate(`[...document.querySelectorAll('*')].filter((node) => {
      const { transitionDuration, animationName } = getComputedStyle(node);
      return animationName !== 'none' || transitionDuration.split(',').some((time) => parseFloat(time) > 0);
    }).map((node) => node.tagName.toLowerCase() + '.' + node.className)`);
  return (names as string[]).map((name) => `moves: ${name}`);
}

/**
 * Controls that disappear in forced colours, where backgrounds and shadows are gone: without border, underline or text. The
 * focus must be seen there too.
 */
export async function lostInForcedColours(page: Page): Promise<string[]> {
  return (await page.evaluate(`[...document.querySelectorAll('button, .button, input, select, textarea, progress, meter')]
    .filter((node) => node.checkVisibility() && !node.closest('[hidden]'))
    .filter((node) => {
      const style = getComputedStyle(node);
      const hasBorder = ['Top', 'Bottom'].some((side) => style['border' + side + 'Style'] !== 'none'
        && parseFloat(style['border' + side + 'Width']) > 0);
      const isNative = ['checkbox', 'radio', 'range'].includes(node.type);
      const hasText = node.matches('button, a') && node.innerText.trim() !== '';
      return !hasBorder && !isNative && !hasText && style.outlineStyle === 'none';
    })
    .map((node) => node.outerHTML.slice(0, 80))`)) as string[];
}
