/** Settings of uploaded posters: where their files are. */
import { join } from 'node:path';
import { text, type Values } from '../platform/settings/settings.ts';
import type { S3PosterConfig } from '../posters/s3/s3-poster-store.ts';

export const posterSettings = {
  POSTER_S3_BUCKET: text({
    default: undefined,
    defaultText: 'none: the folder `posters` in DATA_DIR',
    pattern: /^[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]$/,
    allowed: 'the name of a bucket',
    about:
      'S3 bucket for uploaded posters. Several processes need it, or a shared DATA_DIR/posters. Region and credentials ' +
      'come from the AWS SDK’s default chain.',
  }),
  POSTER_S3_PREFIX: text({
    default: 'posters/',
    pattern: /^[A-Za-z0-9/_.-]{0,200}$/,
    allowed: 'up to 200 letters, digits, /, _, . or -',
    about: 'Start of the keys of posters in POSTER_S3_BUCKET.',
  }),
  POSTER_S3_ENDPOINT: text({
    default: undefined,
    defaultText: 'that of AWS_REGION',
    pattern: /^https?:\/\/.+$/,
    allowed: 'an http or https URL',
    about: 'Endpoint of another service with the API of S3. It gets the credentials of the environment.',
  }),
};

export type PostersConfig = { folder: string } | { s3: S3PosterConfig };

type PosterValues = Values<typeof posterSettings> & { DATA_DIR: string | undefined };

export function toPostersConfig(values: PosterValues): PostersConfig {
  const { POSTER_S3_BUCKET: bucket, POSTER_S3_PREFIX: prefix = '', POSTER_S3_ENDPOINT: endpoint } = values;
  return bucket === undefined ? { folder: join(values.DATA_DIR!, 'posters') } : { s3: { bucket, prefix, endpoint } };
}
