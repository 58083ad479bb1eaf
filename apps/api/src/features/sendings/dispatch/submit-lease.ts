/** The part of a lease that must be left when a call of a driver ends, for recording its results. */
const MARGIN = 0.25;
/** A call that makes progress renews its leases after this part of them. */
const RENEW_SHARE = 0.2;

export interface SubmitLeaseParts {
  leaseMs: number;
  /** Milliseconds of the lease that are gone. */
  elapsedMs: number;
  /** False when the batches are another worker's. */
  renew: () => Promise<boolean>;
  /** Whether the worker stops: a call then ends within the lease that it has. */
  isStopping: () => boolean;
}

/** The time of one call of a driver: what is left of the leases of its batches, and more as long as it makes progress. */
export class SubmitLease {
  private readonly over = new AbortController();
  private readonly parts: SubmitLeaseParts;
  private timer: NodeJS.Timeout;
  private triedAt = performance.now();
  private renewal: Promise<void> | null = null;

  constructor(parts: SubmitLeaseParts) {
    this.parts = parts;
    this.endAfter(timeoutOf(parts.leaseMs) - parts.elapsedMs);
  }

  get signal(): AbortSignal {
    return this.over.signal;
  }

  progress(): void {
    const { leaseMs, isStopping } = this.parts;
    const now = performance.now();
    const isEarly = now - this.triedAt < leaseMs * RENEW_SHARE;
    if (isEarly || this.renewal || this.signal.aborted || isStopping()) return;
    this.triedAt = now;
    this.renewal = this.renew(now).finally(() => (this.renewal = null));
  }

  /** After the call. */
  async end(): Promise<void> {
    await this.renewal;
    clearTimeout(this.timer);
  }

  private async renew(since: number): Promise<void> {
    // Without a renewal the call ends in its time.
    const isHeld = await this.parts.renew().catch(() => null);
    if (isHeld === false) this.abort();
    if (isHeld) this.endAfter(timeoutOf(this.parts.leaseMs) - (performance.now() - since));
  }

  private endAfter(ms: number): void {
    clearTimeout(this.timer);
    this.timer = setTimeout(() => this.abort(), Math.max(0, ms));
    this.timer.unref();
  }

  private abort(): void {
    this.over.abort(new DOMException('The time of the submit is over', 'TimeoutError'));
  }
}

/** Milliseconds that a call may take. */
export const timeoutOf = (leaseMs: number): number => leaseMs * (1 - MARGIN);
