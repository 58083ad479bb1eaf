import type { OnApplicationShutdown, OnModuleInit } from '@nestjs/common';

const EVERY_MS = 1000;

/**
 * Buffers counts in memory and writes them once a second. Writes are serialised, and the last one runs at shutdown. If the
 * process is killed, the counts of the last second are lost.
 */
export abstract class WriteBehind implements OnModuleInit, OnApplicationShutdown {
  private timer: NodeJS.Timeout;
  private writing = Promise.resolve();

  onModuleInit(): void {
    this.timer = setInterval(() => void this.flush(), EVERY_MS);
    this.timer.unref();
  }

  /** Writes the buffer. While the database is unavailable the counts stay buffered. */
  flush(): Promise<void> {
    return (this.writing = this.writing.then(() => this.write()));
  }

  async onApplicationShutdown(): Promise<void> {
    clearInterval(this.timer);
    await this.flush();
  }

  /** Must not reject: counts that could not be written are buffered again. */
  protected abstract write(): Promise<void>;
}
