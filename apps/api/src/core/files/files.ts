import { Injectable } from '@nestjs/common';
import { createReadStream, type ReadStream } from 'node:fs';
import { mkdir, readdir, rename, rm, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { Config } from '../config.ts';

/** Bytes on disk, under the id of their row, in 256 folders. */
@Injectable()
export class Files {
  constructor(private readonly config: Config) {}

  path(id: string): string {
    return join(this.config.FILES_DIR, id.slice(-2), id);
  }

  /** Where uploads are written before they are known to be wanted. */
  async incoming(): Promise<string> {
    const folder = join(this.config.FILES_DIR, 'incoming');
    await mkdir(folder, { recursive: true });
    return folder;
  }

  /** Removes what was written there and not touched for so long; by the clock of the disk. */
  async dropIncoming(ageMs: number): Promise<void> {
    const folder = await this.incoming();
    for (const name of await readdir(folder)) {
      const path = join(folder, name);
      const found = await stat(path).catch(() => null);
      if (found && Date.now() - found.mtimeMs > ageMs) await rm(path, { force: true });
    }
  }

  /** Takes a written file in; the same file system, so it is there whole or not at all. */
  async adopt(from: string, id: string): Promise<void> {
    await mkdir(dirname(this.path(id)), { recursive: true });
    await rename(from, this.path(id));
  }

  open(id: string): ReadStream {
    return createReadStream(this.path(id));
  }

  async remove(id: string): Promise<void> {
    await rm(this.path(id), { force: true });
  }
}
