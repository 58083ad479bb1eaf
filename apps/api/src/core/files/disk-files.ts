import { isUuid } from '@heliograph/domain';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { createReadStream, createWriteStream } from 'node:fs';
import { access, mkdir, readdir, rename, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { AppError, notFound } from '../errors.ts';
import {
  Files,
  folderName,
  onDisk,
  removeIfOlder,
  unavailableIfDisk,
  type ByteRange,
} from './files.ts';

/** In 256 folders of `FILES_DIR`. */
export class DiskFiles extends Files {
  constructor(private readonly root: string) {
    super(root);
  }

  path(id: string): string {
    return join(this.root, id.slice(-2), id);
  }

  /** Atomic, since both paths are on the same file system. */
  override async adopt(from: string, id: string): Promise<void> {
    await onDisk(async () => {
      await mkdir(dirname(this.path(id)), { recursive: true });
      await rename(from, this.path(id));
    });
  }

  override async write(id: string, source: Readable): Promise<void> {
    // It may fail before it is read.
    source.on('error', () => undefined);
    const path = join(await this.incoming(), randomUUID());
    try {
      await onDisk(() => pipeline(source, createWriteStream(path, { flags: 'wx' })));
      await this.adopt(path, id);
    } catch (error) {
      throw error instanceof AppError ? error : (source.errored ?? error);
    } finally {
      await rm(path, { force: true });
    }
  }

  override async read(id: string, range?: ByteRange): Promise<Readable> {
    const stream = createReadStream(this.path(id), range);
    // Afterwards missing contents are an error of the call, not of a stream that is being sent.
    await once(stream, 'open').catch((error: NodeJS.ErrnoException) => {
      throw error.code === 'ENOENT' ? notFound() : unavailableIfDisk(error);
    });
    return stream;
  }

  override async withLocal<T>(id: string, work: (path: string) => Promise<T>): Promise<T> {
    const path = this.path(id);
    await access(path).catch(() => {
      throw notFound();
    });
    return work(path);
  }

  override link(): Promise<null> {
    return Promise.resolve(null);
  }

  override async storedIn(folder: number): Promise<string[]> {
    const name = folderName(folder);
    const names = await readdir(join(this.root, name)).catch(() => []);
    return names.filter((id) => isUuid(id) && id.endsWith(name));
  }

  override removeOlder(id: string, ageMs: number): Promise<void> {
    return removeIfOlder(this.path(id), ageMs);
  }

  override async remove(id: string): Promise<void> {
    await rm(this.path(id), { force: true });
  }
}
