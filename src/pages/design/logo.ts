/** The mark of Fairline: people in a line, and an arrow through a gate. Readable from 16 pixels on. */
export const LOGO_BOX = '0 0 32 32';
/** On a square of the accent colour. */
export const LOGO_PATH =
  'M4 16a2.7 2.7 0 1 0 5.4 0a2.7 2.7 0 1 0-5.4 0M11.6 16a2.7 2.7 0 1 0 5.4 0a2.7 2.7 0 1 0-5.4 0M22.2 4h3.2v6.4h-3.2z' +
  'M22.2 21.6h3.2V28h-3.2zM20.3 10.3l7.7 5.7-7.7 5.7z';

export function toLogoSvg(ground: string, ink: string): string {
  return (
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="${LOGO_BOX}">` +
    `<rect width="32" height="32" rx="7" fill="${ground}"/><path fill="${ink}" d="${LOGO_PATH}"/></svg>`
  );
}
