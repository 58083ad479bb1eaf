interface Waiter {
  resolve(isAcquired: boolean): void;
}

const MAX_HOLD_MS = 30_000;

/**
 * How many submits may be unanswered at a time. It is agreed with the carrier outside of the protocol, and found out: a refusal for
 * the rate halves it and holds all submits of the link for a while, each answer of success makes it one larger again.
 */
export class Window {
  readonly max: number;
  limit: number;
  used = 0;

  private readonly waiting: Waiter[] = [];
  /** Refused submits that go before all others. */
  private readonly repeats: Waiter[] = [];
  private hold: NodeJS.Timeout | undefined;
  private heldUntil = 0;
  /** Holds since the last success. */
  private holds = 0;
  private isClosed = false;

  constructor(max: number) {
    this.max = max;
    this.limit = max;
  }

  /** Milliseconds until submits go on. */
  get heldMs(): number {
    return this.hold ? Math.max(0, this.heldUntil - Date.now()) : 0;
  }

  /** Resolves in turn; false if the session ends or the signal is aborted before. */
  acquire(signal?: AbortSignal, isRepeat = false): Promise<boolean> {
    if (this.isClosed || signal?.aborted) return Promise.resolve(false);
    return new Promise((resolve) => {
      const queue = isRepeat ? this.repeats : this.waiting;
      const leave = () => {
        const at = queue.indexOf(waiter);
        if (at >= 0) queue.splice(at, 1);
        waiter.resolve(false);
      };
      const waiter: Waiter = {
        resolve(isAcquired) {
          signal?.removeEventListener('abort', leave);
          resolve(isAcquired);
        },
      };
      signal?.addEventListener('abort', leave);
      queue.push(waiter);
      this.next();
    });
  }

  /** After an answer of success, or one that has nothing to do with the rate. */
  release(isSuccess: boolean): void {
    this.used--;
    if (isSuccess) {
      this.holds = 0;
      this.limit = Math.min(this.max, this.limit + 1);
    }
    this.next();
  }

  /** After a refusal for the rate: nothing is submitted for `ms`, and for longer each time until something succeeds. */
  refuse(ms: number): void {
    this.used--;
    // The others that were under way with it are refused for the same reason.
    if (this.hold) return;
    this.limit = Math.max(1, Math.floor(this.limit / 2));
    const held = Math.min(ms * 2 ** this.holds++, MAX_HOLD_MS);
    this.heldUntil = Date.now() + held;
    this.hold = setTimeout(() => {
      this.hold = undefined;
      this.next();
    }, held);
  }

  close(): void {
    this.isClosed = true;
    clearTimeout(this.hold);
    for (const { resolve } of [...this.repeats.splice(0), ...this.waiting.splice(0)]) {
      resolve(false);
    }
  }

  private next(): void {
    while (!this.hold && this.used < this.limit) {
      const waiter = this.repeats.shift() ?? this.waiting.shift();
      if (!waiter) return;
      this.used++;
      waiter.resolve(true);
    }
  }
}
