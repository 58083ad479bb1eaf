import { randomUUID } from 'node:crypto';

import { pop, push } from './heap.ts';
import type { Position } from './position.ts';

/** Width of a bucket: items due in the same bucket are posted together. */
export const BUCKET_MS = 100;

export interface OutboxOptions<T> {
  /** Maximum items per post, and maximum concurrent posts. */
  batch: number;
  parallel: number;
  /** Resolves after a 2xx response. `id` is the same for all attempts of a post. */
  post(items: T[], id: string): Promise<void>;
  /** The position after which to continue, and a function that saves it. */
  position: Position;
  save(position: Position): void;
  /** Initial and maximum delay before a failed post is repeated, in milliseconds. */
  retry?: [initial: number, max: number];
}

interface Post<T> {
  items: T[];
  end: Position;
  done: boolean;
}

/**
 * Posts items at their due time, in order of their buckets, until they are acknowledged. Uses one timer for all items. A bucket is
 * posted only after its end, when no more items can be added. Items are added in the order of the log: after a restart, the same
 * items have the same positions, and the saved position tells which ones were acknowledged.
 */
export class Outbox<T> {
  posted = 0;
  waiting = 0;
  /** In milliseconds. Buckets before this time are closed: no items can be added to them. */
  closedUntil = 0;
  failures = 0;
  lastError: string | undefined;

  private readonly options: OutboxOptions<T>;
  private position: Position;
  private readonly buckets = new Map<number, T[]>();
  /** Numbers of the buckets, as a heap. */
  private readonly order: number[] = [];
  private readonly ready: Post<T>[] = [];
  private inFlight: Post<T>[] = [];
  private timer: NodeJS.Timeout | undefined;
  private readonly stopping = new AbortController();

  constructor(options: OutboxOptions<T>) {
    this.options = options;
    this.position = options.position;
  }

  add(item: T, due: number): void {
    const number = Math.floor(due / BUCKET_MS);
    if (number < this.position.bucket) {
      // Acknowledged before a restart. A partly posted bucket is kept, for the positions of its items.
      this.posted++;
      return;
    }
    const bucket = this.buckets.get(number);
    if (bucket) bucket.push(item);
    else {
      this.buckets.set(number, [item]);
      push(this.order, number);
    }
    this.waiting++;
  }

  /** Starts to post due items, checked once per bucket. */
  start(): void {
    this.timer ??= setInterval(() => this.flush(Date.now()), BUCKET_MS);
  }

  /** Stops posting. Posts in progress are aborted and repeated after a restart. */
  stop(): void {
    clearInterval(this.timer);
    this.stopping.abort();
  }

  flush(now: number): void {
    const current = Math.floor(now / BUCKET_MS);
    this.closedUntil = Math.max(this.closedUntil, current * BUCKET_MS);
    while (this.order.length > 0 && this.order[0]! < current) this.close(pop(this.order));
    this.fill();
  }

  private close(number: number): void {
    const items = this.buckets.get(number)!;
    this.buckets.delete(number);
    const from = number === this.position.bucket ? this.position.offset : 0;
    this.waiting -= Math.min(from, items.length);
    this.posted += Math.min(from, items.length);
    for (let i = from; i < items.length;) {
      const last = this.ready.at(-1);
      const capacity = last ? this.options.batch - last.items.length : 0;
      const part = items.slice(i, i + (capacity > 0 ? capacity : this.options.batch));
      i += part.length;
      const end = { bucket: number, offset: i };
      // Small adjacent buckets share a post.
      if (last && capacity > 0) Object.assign(last, { items: last.items.concat(part), end });
      else this.ready.push({ items: part, end, done: false });
    }
  }

  private fill(): void {
    while (this.ready.length > 0 && this.inFlight.length < this.options.parallel) {
      if (this.stopping.signal.aborted) return;
      const post = this.ready.shift()!;
      this.inFlight.push(post);
      void this.deliver(post);
    }
  }

  private async deliver(post: Post<T>): Promise<void> {
    const [initial, max] = this.options.retry ?? [250, 15_000];
    const id = `msg_${randomUUID()}`;
    for (let delay = initial; ; delay = Math.min(delay * 2, max)) {
      try {
        await this.options.post(post.items, id);
        break;
      } catch (error) {
        this.failures++;
        this.lastError = (error as Error).message;
        await pause(delay, this.stopping.signal);
      }
      if (this.stopping.signal.aborted) return;
    }
    if (this.stopping.signal.aborted) return;
    post.done = true;
    this.acknowledge();
    this.fill();
  }

  /** Advances the position over completed posts up to the first incomplete one. */
  private acknowledge(): void {
    let end: Position | undefined;
    while (this.inFlight[0]?.done) {
      const { items, end: reached } = this.inFlight.shift()!;
      this.posted += items.length;
      this.waiting -= items.length;
      end = reached;
    }
    if (!end) return;
    this.position = end;
    this.options.save(end);
  }
}

function pause(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) return resolve();
    const done = () => {
      clearTimeout(timer);
      signal.removeEventListener('abort', done);
      resolve();
    };
    const timer = setTimeout(done, ms);
    signal.addEventListener('abort', done);
  });
}
