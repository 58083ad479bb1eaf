import { Injectable } from '@nestjs/common';
import { isUuid } from '@heliograph/domain';
import { createReadStream, type ReadStream } from 'node:fs';
import { mkdir, readdir, rename, rm, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';

import { Config } from '../config.ts';

/** File contents on disk, named by the id of their row, in 256 folders. */
@Injectable()
export class Files {
  constructor(private readonly config: Config) {}

  path(id: string): string {
    return join(this.config.FILES_DIR, id.slice(-2), id);
  }

  /** The folder of uploads that are not stored yet. */
  async incoming(): Promise<string> {
    const folder = join(this.config.FILES_DIR, 'incoming');
    await mkdir(folder, { recursive: true });
    return folder;
  }

  /** Removes unfinished uploads that were not written to for `ageMs`. */
  async dropIncoming(ageMs: number): Promise<void> {
    const folder = await this.incoming();
    for (const name of await readdir(folder)) {
      await removeIfOlder(join(folder, name), ageMs);
    }
  }

  /** Moves an uploaded file into the store. Atomic, since both are on the same file system. */
  async adopt(from: string, id: string): Promise<void> {
    await mkdir(dirname(this.path(id)), { recursive: true });
    await rename(from, this.path(id));
  }

  open(id: string): ReadStream {
    return createReadStream(this.path(id));
  }

  /** The ids of the files in one of the 256 folders. */
  async storedIn(folder: number): Promise<string[]> {
    const name = folder.toString(16).padStart(2, '0');
    const names = await readdir(join(this.config.FILES_DIR, name)).catch(() => []);
    return names.filter((id) => isUuid(id) && id.endsWith(name));
  }

  async removeOlder(id: string, ageMs: number): Promise<void> {
    await removeIfOlder(this.path(id), ageMs);
  }

  async remove(id: string): Promise<void> {
    await rm(this.path(id), { force: true });
  }
}

/** By the modification time. */
async function removeIfOlder(path: string, ageMs: number): Promise<void> {
  const found = await stat(path).catch(() => null);
  if (found && Date.now() - found.mtimeMs > ageMs) await rm(path, { force: true });
}
