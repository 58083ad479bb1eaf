import { Injectable } from '@nestjs/common';
import { Config } from './config.ts';

/** Share of the grace period after which long requests give up, so that they can still be answered. */
const INTERRUPT_SHARE = 0.6;

/** The stop signal of a process: every loop and every long request looks at it. */
@Injectable()
export class Shutdown {
  /** Whether what is under way may end by itself first; a close without a signal cuts it off. */
  isGraceful = false;
  private readonly stopping = new AbortController();
  private readonly interrupting = new AbortController();

  constructor(private readonly config: Config) {}

  /** Loops end after the batch in hand, nothing new is begun. */
  get isStopping(): boolean {
    return this.stopping.signal.aborted;
  }

  get signal(): AbortSignal {
    return this.stopping.signal;
  }

  /** Aborted when a request that takes long has to give up in order to be answered before the process ends. */
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
