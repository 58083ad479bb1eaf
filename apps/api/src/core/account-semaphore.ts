export interface SemaphoreLimits {
  /** How much runs at a time: in all, and of one account. */
  running: number;
  runningOfAccount: number;
  /** How much runs or waits; more is refused at once. */
  held: number;
  heldOfAccount: number;
  /** How long one waits before it is refused; without it, for as long as it takes. */
  waitMs?: number;
}

interface Account {
  running: number;
  waiting: (() => void)[];
}

/**
 * Bounds work that many accounts ask for at a time, in one process. A place that becomes free goes to the account that has
 * the fewest, in turn: nobody waits behind the queue of another account.
 */
export class AccountSemaphore {
  /** Those that run or wait, the one that was served last at the end. */
  private readonly accounts = new Map<string, Account>();
  private running = 0;
  private held = 0;

  /** `refusal` is told whether the account itself has too much under way, or all together have. */
  constructor(
    private readonly limits: SemaphoreLimits,
    private readonly refusal: (isOwn: boolean) => Error,
  ) {}

  /** Does the work when its turn comes. What waits when the signal aborts is not done. */
  async run<T>(id: string, work: () => Promise<T>, signal?: AbortSignal): Promise<T> {
    const account = this.accounts.get(id) ?? { running: 0, waiting: [] };
    const isOwn = account.running + account.waiting.length >= this.limits.heldOfAccount;
    if (isOwn || this.held >= this.limits.held) throw this.refusal(isOwn);
    this.accounts.set(id, account);
    this.held++;
    try {
      if (this.running < this.limits.running && this.mayRun(account)) this.start(id, account);
      else await this.turn(account, signal);
      try {
        return await work();
      } finally {
        account.running--;
        this.running--;
      }
    } finally {
      this.held--;
      if (!account.running && !account.waiting.length) this.accounts.delete(id);
      this.startNext();
    }
  }

  private turn(account: Account, signal?: AbortSignal): Promise<void> {
    return new Promise((resolve, reject) => {
      const leave = (error: unknown) => {
        account.waiting.splice(account.waiting.indexOf(begin), 1);
        stopWaiting();
        reject(error as Error);
      };
      const abort = () => leave(signal!.reason);
      const timer =
        this.limits.waitMs === undefined
          ? undefined
          : setTimeout(() => leave(this.refusal(false)), this.limits.waitMs);
      const stopWaiting = () => {
        clearTimeout(timer);
        signal?.removeEventListener('abort', abort);
      };
      const begin = () => {
        stopWaiting();
        resolve();
      };
      if (signal?.aborted) return void reject(signal.reason as Error);
      signal?.addEventListener('abort', abort, { once: true });
      account.waiting.push(begin);
    });
  }

  private startNext(): void {
    while (this.running < this.limits.running) {
      let next: [string, Account] | undefined;
      for (const entry of this.accounts) {
        const [, account] = entry;
        if (!account.waiting.length || !this.mayRun(account)) continue;
        if (!next || account.running < next[1].running) next = entry;
      }
      if (!next) return;
      this.start(...next);
      next[1].waiting.shift()!();
    }
  }

  private start(id: string, account: Account): void {
    account.running++;
    this.running++;
    this.accounts.delete(id);
    this.accounts.set(id, account);
  }

  private mayRun({ running }: Account): boolean {
    return running < this.limits.runningOfAccount;
  }
}
