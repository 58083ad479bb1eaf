import { Injectable } from '@nestjs/common';
import { Config } from './config.ts';

/** Share of the grace period after which long requests are interrupted, so that they can still respond. */
const INTERRUPT_SHARE = 0.6;

/** The shutdown state of the process, checked by loops and long requests. */
@Injectable()
export class Shutdown {
  /** Whether running work may finish; false for a close without a signal. */
  isGraceful = false;
  private readonly stopping = new AbortController();
  private readonly interrupting = new AbortController();

  constructor(private readonly config: Config) {}

  /** Loops stop after the current batch. */
  get isStopping(): boolean {
    return this.stopping.signal.aborted;
  }

  get signal(): AbortSignal {
    return this.stopping.signal;
  }

  /** Aborted when long requests must stop in order to respond before the process exits. */
  get interrupt(): AbortSignal {
    return this.interrupting.signal;
  }

  begin(isGraceful = false): void {
    if (this.isStopping) return;
    this.isGraceful = isGraceful;
    this.stopping.abort();
    if (!isGraceful) return this.interrupting.abort();
    const { SHUTDOWN_DELAY_SECONDS, SHUTDOWN_GRACE_SECONDS } = this.config;
    const seconds = SHUTDOWN_DELAY_SECONDS + SHUTDOWN_GRACE_SECONDS * INTERRUPT_SHARE;
    setTimeout(() => this.interrupting.abort(), seconds * 1000).unref();
  }
}
