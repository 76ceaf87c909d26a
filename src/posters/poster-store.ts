/**
 * The port to the files of uploaded posters. A version is named by its content and never changes, so a file can be written
 * twice and cached for good. Which version an event shows is in poster-versions.ts.
 */
export interface PosterStore {
  /** Complete when it returns; a reader never sees half a file. */
  put(key: PosterKey, file: Buffer): Promise<void>;
  find(key: PosterKey): Promise<Buffer | undefined>;
  /** Removes all files of a version; harmless if there are none. */
  removeVersion(eventId: string, version: string): Promise<void>;
}

/** `original`: as uploaded, where images cannot be resized. */
export const posterFiles = ['card', 'large', 'og', 'original'] as const;
export type PosterFile = (typeof posterFiles)[number];

export interface PosterKey {
  eventId: string;
  version: string;
  file: PosterFile;
}

export const toPath = ({ eventId, version, file }: PosterKey): string => `${eventId}/${version}-${file}`;
