import { S3Client } from '@aws-sdk/client-s3';
import type { Config } from '../config.ts';
import { AppError, notFound } from '../errors.ts';
import { storageUnavailable } from './files.ts';

/** Each request, with pauses of up to a second between them. */
const MAX_ATTEMPTS = 3;
const CONNECTION_TIMEOUT_MS = 2000;

export function createS3Client(config: Config, endpoint?: string): S3Client {
  const timeoutMs = config.S3_TIMEOUT_SECONDS * 1000;
  const { S3_ACCESS_KEY_ID: accessKeyId, S3_SECRET_ACCESS_KEY: secretAccessKey } = config;
  return new S3Client({
    region: config.S3_REGION,
    endpoint,
    forcePathStyle: config.S3_PATH_STYLE,
    // Without both the SDK looks for a role of the machine or a profile.
    ...(accessKeyId && secretAccessKey && { credentials: { accessKeyId, secretAccessKey } }),
    maxAttempts: MAX_ATTEMPTS,
    requestHandler: {
      connectionTimeout: CONNECTION_TIMEOUT_MS,
      requestTimeout: timeoutMs,
      socketTimeout: timeoutMs,
      throwOnRequestTimeout: true,
    },
    // Trailers with checksums are unknown to other implementations of S3. The contents have a hash of ours.
    requestChecksumCalculation: 'WHEN_REQUIRED',
    responseChecksumValidation: 'WHEN_REQUIRED',
  });
}

const MISSING = new Set(['NoSuchKey', 'NotFound']);

/** A missing object is `not_found`; all else, wrong credentials included, is the operator's and `storage_unavailable`. */
export function toAppError(error: unknown): AppError {
  if (error instanceof AppError) return error;
  const { name, message, code } = error as Error & { code?: string };
  if (MISSING.has(name)) return notFound();
  return storageUnavailable(`S3: ${[code, name, message].filter(Boolean).join(' ')}`);
}

/** Some implementations of S3 lack commands that only tidy up. */
export const isNotImplemented = (error: unknown): boolean =>
  (error as { $metadata?: { httpStatusCode?: number } }).$metadata?.httpStatusCode === 501;
