import { randomUUID } from 'node:crypto';
import { mkdir, readdir, rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import { AppError } from '../errors.ts';

/** Positions of the first and the last byte, both included. */
export interface ByteRange {
  start: number;
  end: number;
}

/** What a direct link tells the browser about the contents. */
export interface LinkHeaders {
  type: string;
  disposition: string;
}

/**
 * Contents of files, named by the id of their row: on a disk (`DiskFiles`) or in a bucket (`S3Files`). With either, contents are
 * visible only when they are complete, and a failed write leaves at most what the sweeps of the storage remove. A store that
 * cannot be reached is `storage_unavailable`.
 */
export abstract class Files {
  /** `folder`: a local folder for uploads that are being received and for temporary copies. */
  constructor(private readonly folder: string) {}

  /** Stores a file of the `incoming` folder, which it removes from there. */
  abstract adopt(path: string, id: string): Promise<void>;

  /** Stores a stream of any length. Resolves when the contents are complete; an error of the stream leaves nothing. */
  abstract write(id: string, source: Readable): Promise<void>;

  /** Throws `not_found` if there are no contents. Of the stream, errors are `AppError`s as well. */
  abstract read(id: string, range?: ByteRange): Promise<Readable>;

  /** Runs `work` with the path of a local copy, for readers that need one. The path is invalid afterwards. */
  abstract withLocal<T>(id: string, work: (path: string) => Promise<T>): Promise<T>;

  /** A link by which a browser reads the contents from the store itself; null if it cannot reach it. */
  abstract link(id: string, headers: LinkHeaders): Promise<string | null>;

  /** The ids of the files in one of 256 folders, by the last two digits of the id. */
  abstract storedIn(folder: number): Promise<string[]>;

  abstract removeOlder(id: string, ageMs: number): Promise<void>;

  abstract remove(id: string): Promise<void>;

  /** Throws `storage_unavailable` if contents cannot be written: the folder of uploads, and what a driver adds. */
  async check(): Promise<void> {
    const path = join(await this.incoming(), randomUUID());
    await onDisk(() => writeFile(path, PROBE)).finally(() => rm(path, { force: true }));
  }

  /** Removes unfinished uploads that were not written to for `ageMs`. */
  async dropIncoming(ageMs: number): Promise<void> {
    const folder = await this.incoming();
    for (const name of await readdir(folder)) await removeIfOlder(join(folder, name), ageMs);
  }

  /** The folder of uploads that are not stored yet. */
  async incoming(): Promise<string> {
    const folder = join(this.folder, 'incoming');
    await onDisk(() => mkdir(folder, { recursive: true }));
    return folder;
  }
}

/** The name of one of 256 folders. */
export const folderName = (folder: number): string => folder.toString(16).padStart(2, '0');

/** By the modification time. */
export async function removeIfOlder(path: string, ageMs: number): Promise<void> {
  const found = await stat(path).catch(() => null);
  if (found && Date.now() - found.mtimeMs > ageMs) await rm(path, { force: true });
}

/** A full disk still takes an empty file. */
const PROBE = Buffer.alloc(4096);

/** Errors of a disk that is full, read-only, broken, or closed to this process. */
const DISK_ERRORS = new Set([
  'EACCES',
  'EDQUOT',
  'EIO',
  'EMFILE',
  'ENFILE',
  'ENOSPC',
  'ENOTDIR',
  'EPERM',
  'EROFS',
  'ESTALE',
]);

/** Runs work on the local disk, whose failures are `storage_unavailable`. */
export async function onDisk<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    throw unavailableIfDisk(error as NodeJS.ErrnoException);
  }
}

export const unavailableIfDisk = (error: NodeJS.ErrnoException): Error =>
  DISK_ERRORS.has(error.code ?? '') ? storageUnavailable(`${error.code}: ${error.message}`) : error;

const RETRY_SECONDS = 5;

/** `cause` is written to the log only. */
export function storageUnavailable(cause: string): AppError {
  return new AppError('storage_unavailable', undefined, {
    cause,
    headers: { 'retry-after': String(RETRY_SECONDS) },
  });
}
