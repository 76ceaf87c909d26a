/** Posters of events: uploads, and what is shown for an event. The image of the event's own URL is the caller's matter. */
import { createHash } from 'node:crypto';
import { RecentMap } from '../platform/collections/recent-map.ts';
import { type PosterEvent, toPosterSvg } from './generated/generated-poster.ts';
import { findImageType, type ImageType } from './image-type.ts';
import type { PosterImages } from './poster-images.ts';
import type { PosterFile, PosterStore } from './poster-store.ts';
import type { PosterVersions } from './poster-versions.ts';

export type PosterSize = Exclude<PosterFile, 'original'>;

export interface PosterContent {
  type: ImageType | 'image/svg+xml';
  body: Buffer;
  /** Changes with the content. */
  version: string;
}

export type UploadOutcome = { outcome: 'stored'; version: string } | { outcome: 'no-image' } | { outcome: 'no-event' };

export interface Posters {
  /** Replaces the poster of an event. */
  upload(eventId: string, image: Buffer): Promise<UploadOutcome>;
  /** Back to the generated one. */
  remove(eventId: string): Promise<'removed' | 'no-event'>;
  findVersion(eventId: string): Promise<string | undefined>;
  /** The upload with this version; undefined if its files are gone. */
  findUploaded(eventId: string, version: string, size: PosterSize): Promise<PosterContent | undefined>;
  generate(event: PosterEvent, size: PosterSize): Promise<PosterContent>;
}

export interface PostersOptions {
  store: PosterStore;
  versions: PosterVersions;
  images: PosterImages;
}

/** A PNG takes about 30 ms of CPU and 30 KB. */
const MOST_DRAWN = 100;

export function createPosters({ store, versions, images }: PostersOptions): Posters {
  const drawn = new RecentMap<Promise<PosterContent>>(MOST_DRAWN);

  async function show(eventId: string, version: string | undefined): Promise<'set' | 'no-event'> {
    const set = await versions.set(eventId, version);
    if (set.outcome === 'no-event') return 'no-event';
    if (set.before !== undefined && set.before !== version) await store.removeVersion(eventId, set.before);
    return 'set';
  }

  return {
    async upload(eventId, image) {
      if (findImageType(image) === undefined) return { outcome: 'no-image' };
      const resized = await images.resize(image);
      if (resized?.outcome === 'unreadable') return { outcome: 'no-image' };
      const files: [PosterFile, Buffer][] = resized?.files ?? [['original', image]];
      const version = toVersion(image);
      // The files first: a version that an event shows always has its files.
      await Promise.all(files.map(([file, content]) => store.put({ eventId, version, file }, content)));
      if ((await show(eventId, version)) === 'set') return { outcome: 'stored', version };
      await store.removeVersion(eventId, version);
      return { outcome: 'no-event' };
    },
    async remove(eventId) {
      return (await show(eventId, undefined)) === 'set' ? 'removed' : 'no-event';
    },
    findVersion: (eventId) => versions.find(eventId),
    async findUploaded(eventId, version, size) {
      const body =
        (await store.find({ eventId, version, file: size })) ??
        (await store.find({ eventId, version, file: 'original' }));
      const type = body && findImageType(body);
      return body && type && { type, body, version };
    },
    async generate(event, size) {
      const svg = toPosterSvg(event, size === 'og' ? 'wide' : 'portrait');
      const version = toVersion(svg);
      const content: PosterContent = { type: 'image/svg+xml', body: Buffer.from(svg), version };
      if (size !== 'og') return content;
      const known = drawn.get(version);
      if (known !== undefined) return known;
      const drawing = images
        .toPng(svg)
        .then((body) => (body ? { type: 'image/png' as const, body, version } : content));
      drawn.set(version, drawing);
      drawing.catch(() => drawn.delete(version));
      return drawing;
    },
  };
}

function toVersion(content: Buffer | string): string {
  return createHash('sha256').update(content).digest('base64url').slice(0, 16);
}
