import type { OnApplicationShutdown, OnModuleInit } from '@nestjs/common';

const EVERY_MS = 1000;

/**
 * What is gathered in memory and written once a second, so that what is counted costs no statement of its own. One write
 * goes after the other, the last when the process ends; one that is killed takes its last second along.
 */
export abstract class WriteBehind implements OnModuleInit, OnApplicationShutdown {
  private timer: NodeJS.Timeout;
  private writing = Promise.resolve();

  onModuleInit(): void {
    this.timer = setInterval(() => void this.flush(), EVERY_MS);
    this.timer.unref();
  }

  /** Writes what was gathered. While the database is away it stays gathered. */
  flush(): Promise<void> {
    return (this.writing = this.writing.then(() => this.write()));
  }

  async onApplicationShutdown(): Promise<void> {
    clearInterval(this.timer);
    await this.flush();
  }

  /** Never rejects: what could not be written is gathered again. */
  protected abstract write(): Promise<void>;
}
