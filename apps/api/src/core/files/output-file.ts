import { createHash } from 'node:crypto';
import { open, rm, type FileHandle } from 'node:fs/promises';

/** `files.size` is a 32-bit integer. */
const MAX_BYTES = 2 ** 31 - 1;

export class FileTooLargeError extends Error {}

/** A temporary file that a report is written to. */
export class OutputFile {
  size = 0;
  private readonly hash = createHash('sha256');
  /** The write that the disk is busy with. Meanwhile the next bytes are prepared. */
  private writing: Promise<void> = Promise.resolve();

  private constructor(
    readonly path: string,
    private readonly handle: FileHandle,
  ) {}

  static async create(path: string): Promise<OutputFile> {
    return new OutputFile(path, await open(path, 'wx'));
  }

  /** Resolves when the write before this one is done. The buffer must not change afterwards. */
  async write(bytes: Uint8Array): Promise<void> {
    this.size += bytes.length;
    if (this.size > MAX_BYTES) throw new FileTooLargeError('The report exceeds 2 GB');
    await this.writing;
    this.writing = this.append(bytes);
    // Thrown by the next call.
    this.writing.catch(() => undefined);
    this.hash.update(bytes);
  }

  /** Returns the SHA-256 of the contents. */
  async close(): Promise<string> {
    await this.writing;
    await this.handle.close();
    return this.hash.digest('hex');
  }

  /** Closed before, or not. */
  async discard(): Promise<void> {
    await this.writing.catch(() => undefined);
    await this.handle.close().catch(() => undefined);
    await rm(this.path, { force: true });
  }

  private async append(bytes: Uint8Array): Promise<void> {
    for (let at = 0; at < bytes.length;) {
      const { bytesWritten } = await this.handle.write(bytes, at);
      at += bytesWritten;
    }
  }
}
