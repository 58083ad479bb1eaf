import { randomUUID } from 'node:crypto';

import { pop, push } from './heap.ts';
import type { Position } from './position.ts';

/** Width of a bucket in milliseconds: what falls due together is posted together. */
export const BUCKET = 100;

export interface OutboxOptions<T> {
  /** How many items one post carries, and how many posts may be under way. */
  batch: number;
  parallel: number;
  /** Resolves when the other side has answered 2xx; `id` is the same in every try. */
  post(items: T[], id: string): Promise<void>;
  /** Where to go on from, and what to remember when that moves. */
  position: Position;
  save(position: Position): void;
  /** First and longest wait before a failed post is tried again, in milliseconds. */
  retry?: [first: number, longest: number];
}

interface Post<T> {
  items: T[];
  end: Position;
  done: boolean;
}

/**
 * Items that fall due at a time, posted in order of their buckets until they are acknowledged.
 * There is one timer, not one for each item. A bucket is posted only when it is over, so nothing
 * can still be added to it; as items are added in the order of the log, the same items stand at
 * the same places after a restart and a position says which were acknowledged.
 */
export class Outbox<T> {
  posted = 0;
  waiting = 0;
  /** Nothing may be added before this time (in ms) any more: those buckets are packed. */
  closedUntil = 0;
  failures = 0;
  lastError: string | undefined;

  private readonly options: OutboxOptions<T>;
  private position: Position;
  private readonly buckets = new Map<number, T[]>();
  /** The numbers of the buckets, as a heap. */
  private readonly order: number[] = [];
  private readonly ready: Post<T>[] = [];
  private underWay: Post<T>[] = [];
  private timer: NodeJS.Timeout | undefined;
  private readonly stopping = new AbortController();

  constructor(options: OutboxOptions<T>) {
    this.options = options;
    this.position = options.position;
  }

  add(item: T, due: number): void {
    const number = Math.floor(due / BUCKET);
    if (number < this.position.bucket) {
      // Acknowledged before a restart; a bucket that was partly posted keeps its places.
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

  /** Begins to post what is due, then looks again every bucket. */
  start(): void {
    this.timer ??= setInterval(() => this.flush(Date.now()), BUCKET);
  }

  /** Posts nothing more; what is under way is given up and posted again after a restart. */
  stop(): void {
    clearInterval(this.timer);
    this.stopping.abort();
  }

  flush(now: number): void {
    const current = Math.floor(now / BUCKET);
    this.closedUntil = Math.max(this.closedUntil, current * BUCKET);
    while (this.order.length > 0 && this.order[0]! < current) this.pack(pop(this.order));
    this.fill();
  }

  private pack(number: number): void {
    const items = this.buckets.get(number)!;
    this.buckets.delete(number);
    const from = number === this.position.bucket ? this.position.offset : 0;
    this.waiting -= Math.min(from, items.length);
    this.posted += Math.min(from, items.length);
    for (let i = from; i < items.length;) {
      const last = this.ready.at(-1);
      const room = last ? this.options.batch - last.items.length : 0;
      const part = items.slice(i, i + (room > 0 ? room : this.options.batch));
      i += part.length;
      const end = { bucket: number, offset: i };
      // Small neighbouring buckets share a post.
      if (last && room > 0) Object.assign(last, { items: last.items.concat(part), end });
      else this.ready.push({ items: part, end, done: false });
    }
  }

  private fill(): void {
    while (this.ready.length > 0 && this.underWay.length < this.options.parallel) {
      if (this.stopping.signal.aborted) return;
      const post = this.ready.shift()!;
      this.underWay.push(post);
      void this.deliver(post);
    }
  }

  private async deliver(post: Post<T>): Promise<void> {
    const [first, longest] = this.options.retry ?? [250, 15_000];
    const id = `msg_${randomUUID()}`;
    for (let wait = first; ; wait = Math.min(wait * 2, longest)) {
      try {
        await this.options.post(post.items, id);
        break;
      } catch (error) {
        this.failures++;
        this.lastError = (error as Error).message;
        await pause(wait, this.stopping.signal);
      }
      if (this.stopping.signal.aborted) return;
    }
    if (this.stopping.signal.aborted) return;
    post.done = true;
    this.acknowledge();
    this.fill();
  }

  /** The position moves over what is done without a gap; the rest waits for its turn. */
  private acknowledge(): void {
    let end: Position | undefined;
    while (this.underWay[0]?.done) {
      const { items, end: reached } = this.underWay.shift()!;
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
