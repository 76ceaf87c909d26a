/** Posters of events: their files in a folder or in S3, their versions in the shop's database. */
import type { Logger } from 'pino';
import type { PostersConfig } from '../config/poster-settings.ts';
import type { Clock } from '../platform/clock.ts';
import type { LazyDatabase } from '../platform/database/lazy-database.ts';
import { createFilePosterStore } from '../posters/files/file-poster-store.ts';
import { createPosterImages } from '../posters/poster-images.ts';
import type { PosterStore } from '../posters/poster-store.ts';
import { createPosters, type Posters } from '../posters/posters.ts';
import { createPosterVersions } from '../posters/postgres/postgres-poster-versions.ts';

export interface OpenPostersOptions {
  config: PostersConfig;
  database: LazyDatabase;
  clock: Clock;
  log: Logger;
}

export async function openPosters({ config, database, clock, log }: OpenPostersOptions): Promise<Posters> {
  return createPosters({
    store: await openStore(config),
    versions: createPosterVersions(database, clock),
    images: createPosterImages((err) => log.warn({ err }, 'sharp cannot be loaded; posters are not resized')),
  });
}

/** Loads the AWS SDK only if a bucket is configured. */
async function openStore(config: PostersConfig): Promise<PosterStore> {
  if ('folder' in config) return createFilePosterStore(config.folder);
  const { createS3Client, createS3PosterStore } = await import('../posters/s3/s3-poster-store.ts');
  return createS3PosterStore(createS3Client(config.s3.endpoint), config.s3);
}
