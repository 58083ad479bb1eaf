import { Injectable } from '@nestjs/common';
import { Clock } from '../clock.ts';
import { shortError } from '../log-error.ts';
import { Log } from '../log.ts';
import { FailedJobsStore } from './failed-jobs.store.ts';

/** How long a job that is done waits to be noted with others. */
const NOTE_MS = 1000;

/** Notes which jobs fail, and which of them are done afterwards. */
@Injectable()
export class FailedJobs {
  private readonly done = new Map<string, { name: string; payload: object; at: Date }>();
  private timer: NodeJS.Timeout | undefined;
  private writing: Promise<void> = Promise.resolve();

  constructor(
    private readonly store: FailedJobsStore,
    private readonly clock: Clock,
    private readonly log: Log,
  ) {}

  async noteFailed(
    job: { name: string; queue: string; payload: object },
    error: unknown,
  ): Promise<void> {
    await this.store
      .failed(job, this.clock.now(), shortError(error))
      .catch((reason: unknown) => this.warn(reason));
  }

  noteDone(name: string, payload: object): void {
    this.done.set(`${name} ${JSON.stringify(payload)}`, { name, payload, at: this.clock.now() });
    this.timer ??= setTimeout(() => this.write(), NOTE_MS);
  }

  /** When no job runs any more. */
  async close(): Promise<void> {
    this.write();
    await this.writing;
  }

  private write(): void {
    clearTimeout(this.timer);
    this.timer = undefined;
    const jobs = [...this.done.values()];
    this.done.clear();
    if (!jobs.length) return;
    this.writing = this.writing
      .then(() => this.store.done(jobs))
      .catch((reason: unknown) => this.warn(reason));
  }

  private warn(error: unknown): void {
    this.log.warn({ err: error }, 'What became of a job could not be noted.');
  }
}
