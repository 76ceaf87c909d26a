/** Posters in a bucket of S3 or of a service with its API. Loaded only when a bucket is configured. */
import {
  DeleteObjectsCommand,
  GetObjectCommand,
  NoSuchKey,
  PutObjectCommand,
  S3Client,
  type S3ClientConfig,
} from '@aws-sdk/client-s3';
import { findImageType } from '../image-type.ts';
import { type PosterKey, type PosterStore, posterFiles, toPath } from '../poster-store.ts';

export interface S3PosterConfig {
  bucket: string;
  /** Before the path of each object: `posters/`. */
  prefix: string;
  /** A service other than that of AWS_REGION; it gets the credentials of the environment too. */
  endpoint: string | undefined;
}

const MOST_ATTEMPTS = 3;
const CONNECT_TIMEOUT_MS = 1_000;
const REQUEST_TIMEOUT_MS = 5_000;

export function createS3Client(endpoint: string | undefined, options: S3ClientConfig = {}): S3Client {
  return new S3Client({
    maxAttempts: MOST_ATTEMPTS,
    requestHandler: {
      connectionTimeout: CONNECT_TIMEOUT_MS,
      requestTimeout: REQUEST_TIMEOUT_MS,
      throwOnRequestTimeout: true,
    },
    // Other services often have no host name per bucket, and do not know the newer checksums.
    ...(endpoint === undefined
      ? {}
      : { endpoint, forcePathStyle: true, requestChecksumCalculation: 'WHEN_REQUIRED' as const }),
    ...options,
  });
}

export function createS3PosterStore(client: S3Client, { bucket, prefix }: S3PosterConfig): PosterStore {
  const at = (key: PosterKey) => ({ Bucket: bucket, Key: prefix + toPath(key) });
  return {
    async put(key, file) {
      await client.send(new PutObjectCommand({ ...at(key), Body: file, ContentType: findImageType(file) }));
    },
    async find(key) {
      try {
        const { Body } = await client.send(new GetObjectCommand(at(key)));
        return Body && Buffer.from(await Body.transformToByteArray());
      } catch (error) {
        if (error instanceof NoSuchKey) return undefined;
        throw error;
      }
    },
    async removeVersion(eventId, version) {
      const Objects = posterFiles.map((file) => ({ Key: at({ eventId, version, file }).Key }));
      await client.send(new DeleteObjectsCommand({ Bucket: bucket, Delete: { Objects, Quiet: true } }));
    },
  };
}
