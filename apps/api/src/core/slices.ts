import { Injectable } from '@nestjs/common';

/** How long the process is kept from everything else at a time, in milliseconds. */
const SLICE_MS = 8;

type Slice = () => boolean;

/**
 * Long computations, in slices. Those that run side by side share the turns of the event loop, one slice of one of them in a
 * turn: however many there are, whoever else calls waits for one slice at most.
 */
@Injectable()
export class Slices {
  private readonly waiting: Slice[] = [];

  /** Does the work for item after item, in their order. What the work throws ends it. */
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

  /** Does what cannot be divided in a turn of its own. */
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

  /** `slice` runs once in a turn until it says that it was the last. */
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
