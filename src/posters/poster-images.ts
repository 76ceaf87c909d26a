/**
 * Resizes uploaded posters and turns generated ones into PNG, by the optional library `sharp`. Where it cannot be loaded,
 * posters are served as uploaded, and generated ones as SVG.
 */
import type { PosterFile } from './poster-store.ts';

export interface PosterImages {
  /** The image in all sizes; `unreadable` if it cannot be decoded; undefined: it cannot be resized here. */
  resize(image: Buffer): Promise<ResizeOutcome | undefined>;
  /** undefined: SVG cannot be drawn here. */
  toPng(svg: string): Promise<Buffer | undefined>;
}

export type ResizeOutcome = { outcome: 'resized'; files: [PosterFile, Buffer][] } | { outcome: 'unreadable' };

/** A picture of 10,000 x 10,000 pixels needs 400 MB while it is decoded. */
const MOST_PIXELS = 50_000_000;

export function createPosterImages(onMissing: (error: unknown) => void): PosterImages {
  let loading: Promise<typeof import('sharp').default | undefined> | undefined;
  const load = () => {
    loading ??= import('sharp').then(
      (module) => module.default,
      (error) => {
        onMissing(error);
        return undefined;
      },
    );
    return loading;
  };
  return {
    async resize(image) {
      const sharp = await load();
      if (sharp === undefined) return undefined;
      // Turned as the camera says. Location and other data of the camera are left out.
      const source = sharp(image, { limitInputPixels: MOST_PIXELS, failOn: 'error' }).rotate();
      try {
        await sharp(image, { limitInputPixels: MOST_PIXELS }).stats();
      } catch {
        return { outcome: 'unreadable' };
      }
      const files = await Promise.all([
        source.clone().resize(480, 640, { fit: 'cover' }).webp({ quality: 78 }).toBuffer(),
        source.clone().resize(960, 1280, { fit: 'cover' }).webp({ quality: 80 }).toBuffer(),
        // Not WebP: some services that show previews of links cannot read it.
        source.clone().resize(1200, 630, { fit: 'cover', position: 'attention' }).jpeg({ quality: 82 }).toBuffer(),
      ]);
      return {
        outcome: 'resized',
        files: [
          ['card', files[0]],
          ['large', files[1]],
          ['og', files[2]],
        ],
      };
    },
    async toPng(svg) {
      const sharp = await load();
      return sharp?.(Buffer.from(svg)).png({ palette: true }).toBuffer();
    },
  };
}
