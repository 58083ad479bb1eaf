import { open, rm, type FileHandle } from 'node:fs/promises';

/** `files.size` is a 32-bit integer. */
const MAX_BYTES = 2 ** 31 - 1;

export class FileTooLargeError extends Error {}

/** A temporary file that a report is written to. */
export class OutputFile {
  size = 0;

  private constructor(
    readonly path: string,
    private readonly handle: FileHandle,
  ) {}

  static async create(path: string): Promise<OutputFile> {
    return new OutputFile(path, await open(path, 'wx'));
  }

  async write(bytes: Uint8Array): Promise<void> {
    this.size += bytes.length;
    if (this.size > MAX_BYTES) throw new FileTooLargeError('The report exceeds 2 GB');
    for (let at = 0; at < bytes.length;) {
      const { bytesWritten } = await this.handle.write(bytes, at);
      at += bytesWritten;
    }
  }

  close(): Promise<void> {
    return this.handle.close();
  }

  /** Closed before, or not. */
  async discard(): Promise<void> {
    await this.handle.close().catch(() => undefined);
    await rm(this.path, { force: true });
  }
}
