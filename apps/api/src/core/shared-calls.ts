import { AsyncLocalStorage } from 'node:async_hooks';
import { isTimeout, isUnavailable } from './db/db.ts';

interface Waiting<T, R> {
  item: T;
  resolve: (result: R) => void;
  reject: (error: unknown) => void;
}

interface SharedCallLimits<T> {
  /** Items of one call, and calls at a time, per process. */
  items: number;
  calls: number;
  /** Of the items with one key a call has only the first; the others wait for the next one. */
  keyOf?: (item: T) => string;
}

/**
 * Reads or writes of many requests. Items that arrive while calls are running share the next one, each with its own result; an idle
 * process calls at once, without a timer. The results of a call are parallel to its items, and one that is an `Error` rejects its item.
 * If the call itself fails, it is made for each half of its items, so that one invalid item does not fail the others. A lost connection
 * is the fault of no item, and its transaction may be committed: it fails all of them, and none is written or charged twice. So does a
 * timeout: each of the halves would wait as long, while new items keep arriving.
 */
export class SharedCalls<T, R> {
  private waiting: Waiting<T, R>[] = [];
  private running = 0;
  /** A call is of several requests, so it runs in the context of none: not in the transaction of one, nor in its audit entry. */
  private readonly runOutside = AsyncLocalStorage.snapshot();

  /** `call` is repeated with fewer items after a failure, so a failed one must have no effect. */
  constructor(
    private readonly call: (items: T[]) => Promise<(R | Error)[]>,
    private readonly limits: SharedCallLimits<T>,
  ) {}

  async add(item: T): Promise<R> {
    const [result] = await this.addAll([item]);
    return result!;
  }

  addAll(items: T[]): Promise<R[]> {
    const results = items.map(
      (item) =>
        new Promise<R>((resolve, reject) => {
          this.waiting.push({ item, resolve, reject });
        }),
    );
    this.flush();
    return Promise.all(results);
  }

  private flush(): void {
    while (this.waiting.length && this.running < this.limits.calls) {
      const group = this.nextGroup();
      this.running++;
      void this.runOutside(() => this.callFor(group)).finally(() => {
        this.running--;
        this.flush();
      });
    }
  }

  private nextGroup(): Waiting<T, R>[] {
    const { items, keyOf } = this.limits;
    if (!keyOf) return this.waiting.splice(0, items);
    const group = new Map<string, Waiting<T, R>>();
    this.waiting = this.waiting.filter((one) => {
      const key = keyOf(one.item);
      if (group.size === items || group.has(key)) return true;
      group.set(key, one);
      return false;
    });
    return [...group.values()];
  }

  private async callFor(group: Waiting<T, R>[]): Promise<void> {
    try {
      const results = await this.call(group.map(({ item }) => item));
      for (const [i, { resolve, reject }] of group.entries()) {
        const result = results[i]!;
        if (result instanceof Error) reject(result);
        else resolve(result);
      }
    } catch (error) {
      if (group.length === 1 || isUnavailable(error) || isTimeout(error))
        return group.forEach(({ reject }) => reject(error));
      const middle = group.length >> 1;
      await this.callFor(group.slice(0, middle));
      await this.callFor(group.slice(middle));
    }
  }
}
