export interface SemaphoreLimits {
  /** Maximum concurrency: in total, and of one account. */
  running: number;
  runningOfAccount: number;
  /** Maximum of running and waiting tasks; further ones are refused. */
  held: number;
  heldOfAccount: number;
  /** Waiting tasks are refused after this time; unlimited if undefined. */
  waitMs?: number;
  /** `waitMs` begins again with each task of the account that starts: a queue that moves is waited in. */
  waitsInQueue?: true;
}

interface Account {
  running: number;
  startedAt: number;
  waiting: (() => void)[];
}

/**
 * A semaphore of one process that is fair between accounts: a free slot goes to the account with the fewest running tasks,
 * in round robin, so no account waits behind the queue of another one.
 */
export class AccountSemaphore {
  /** Accounts with running or waiting tasks, the most recently served last. */
  private readonly accounts = new Map<string, Account>();
  private running = 0;
  private held = 0;

  /** `refusal` creates the error; `isOwn` is true if the limit of the account was exceeded, not the total. */
  constructor(
    private readonly limits: SemaphoreLimits,
    private readonly refusal: (isOwn: boolean) => Error,
  ) {}

  /** Runs `work` when a slot is free. It does not start if the signal aborts before. */
  async run<T>(id: string, work: () => Promise<T>, signal?: AbortSignal): Promise<T> {
    const account = this.accounts.get(id) ?? { running: 0, startedAt: 0, waiting: [] };
    const isOwn = account.running + account.waiting.length >= this.limits.heldOfAccount;
    if (isOwn || this.held >= this.limits.held) throw this.refusal(isOwn);
    this.accounts.set(id, account);
    this.held++;
    try {
      if (this.running < this.limits.running && this.mayRun(account)) this.start(id, account);
      else await this.wait(account, signal);
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

  private wait(account: Account, signal?: AbortSignal): Promise<void> {
    return new Promise((resolve, reject) => {
      const leave = (error: unknown) => {
        account.waiting.splice(account.waiting.indexOf(begin), 1);
        stopWaiting();
        reject(error as Error);
      };
      const abort = () => leave(signal!.reason);
      const { waitMs, waitsInQueue } = this.limits;
      const since = performance.now();
      const giveUp = () => {
        const last = waitsInQueue ? Math.max(since, account.startedAt) : since;
        const left = last + waitMs! - performance.now();
        if (left > 0) timer = setTimeout(giveUp, left);
        else leave(this.refusal(!this.mayRun(account)));
      };
      let timer = waitMs === undefined ? undefined : setTimeout(giveUp, waitMs);
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
    account.startedAt = performance.now();
    this.running++;
    this.accounts.delete(id);
    this.accounts.set(id, account);
  }

  private mayRun({ running }: Account): boolean {
    return running < this.limits.runningOfAccount;
  }
}
