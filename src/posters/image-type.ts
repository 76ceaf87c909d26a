/** The type of an image by its first bytes: neither its name nor its Content-Type is believed. */
export type ImageType = 'image/jpeg' | 'image/png' | 'image/webp';

const PNG = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);
const JPEG = Buffer.from([0xff, 0xd8, 0xff]);

export function findImageType(file: Buffer): ImageType | undefined {
  if (file.subarray(0, 8).equals(PNG)) return 'image/png';
  if (file.subarray(0, 3).equals(JPEG)) return 'image/jpeg';
  const isWebp = file.toString('latin1', 0, 4) === 'RIFF' && file.toString('latin1', 8, 12) === 'WEBP';
  return isWebp ? 'image/webp' : undefined;
}
