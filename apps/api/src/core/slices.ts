import { Injectable } from '@nestjs/common';

/** Maximum time that a slice blocks the event loop. */
const SLICE_MS = 8;

type Slice = () => boolean;

/**
 * Runs long computations in slices. Each turn of the event loop runs one slice of one computation, so other requests wait
 * for at most one slice, however many computations there are.
 */
@Injectable()
export class Slices {
  private readonly waiting: Slice[] = [];

  /** Calls `work` for each item in order. An error ends the computation. */
  forEach<T>(items: Iterable<T>, work: (item: T) => void): Promise<void> {
    const left = items[Symbol.iterator]();
    return this.add(() => {
      const end = this.now() + SLICE_MS;
      do {
        const { done, value } = left.next();
        if (done) return true;
        work(value as T);
      } while (this.now() < end);
      return false;
    });
  }

  /** Runs an indivisible computation in a turn of its own. */
  async alone<T>(work: () => T): Promise<T> {
    let result: T;
    await this.add(() => {
      result = work();
      return true;
    });
    return result!;
  }

  protected now(): number {
    return performance.now();
  }

  /** `slice` runs once per turn until it returns true. */
  private add(slice: Slice): Promise<void> {
    return new Promise((resolve, reject) => {
      this.waiting.push(() => {
        try {
          if (!slice()) return false;
          resolve();
        } catch (error) {
          reject(error as Error);
        }
        return true;
      });
      if (this.waiting.length === 1) setImmediate(this.turn);
    });
  }

  private readonly turn = (): void => {
    const [slice] = this.waiting;
    const isDone = slice!();
    this.waiting.shift();
    if (!isDone) this.waiting.push(slice!);
    if (this.waiting.length) setImmediate(this.turn);
  };
}
