import { PRIORITIES, type Priority } from '../priorities.ts';
import { LEASE_LIMIT, type LeasedBatch, type LeaseRequest } from './dispatch.store.ts';

/** What a call has room for. */
export type CallRequest = Pick<LeaseRequest, 'priority' | 'except' | 'messages' | 'after'>;

export interface RunParts {
  /** What the channel takes now. */
  room: () => Promise<{ concurrency: number; maxBatch: number }>;
  /** What is submitted next, for one call; empty when nothing is due. */
  lease: (request: CallRequest) => Promise<LeasedBatch[]>;
  /** Never rejects. */
  submit: (batches: LeasedBatch[]) => Promise<void>;
  isStopping: () => boolean;
}

/** How long singles wait for a call of others at most. */
const GATHER_MS = 20;

/** Submits what is due on one channel in this worker: as many calls at a time as its driver makes, until nothing is due. */
export class ChannelRun {
  /** More may be due than at the last look. */
  isWoken = false;
  /** Running calls, by the priority of their batches. */
  private readonly running = new Map<Promise<void>, Priority>();
  private changed = Promise.withResolvers<void>();
  /** The account of the bulk that was served last. */
  private after: string | null = null;
  /** The call, with all singles that were due, during which the next ones gather. */
  private gathering?: Promise<void>;

  constructor(private readonly parts: RunParts) {}

  /** If only singles are due, they wait with those that gather: the end of that looks for all that is due. */
  wake(areSingles = false): void {
    if (this.gathering && areSingles) return;
    this.isWoken = true;
    this.changed.resolve();
  }

  async run(): Promise<void> {
    try {
      do {
        this.changed = Promise.withResolvers();
        this.isWoken = false;
        while (await this.startNext());
        if (this.running.size) await this.changed.promise;
      } while ((this.running.size || this.isWoken) && !this.parts.isStopping());
    } finally {
      await Promise.all(this.running.keys());
    }
  }

  /** False when there is no room, or nothing more is due. */
  private async startNext(): Promise<boolean> {
    if (this.parts.isStopping()) return false;
    const { concurrency, maxBatch } = await this.parts.room();
    const priority = this.lowest(concurrency);
    if (priority === null) return false;
    const batches = await this.parts.lease({
      priority,
      except: this.gathering ? PRIORITIES.single : null,
      messages: maxBatch,
      after: this.after,
    });
    const [first] = batches;
    if (!first) return false;
    if (first.taskId) this.after = batches.at(-1)!.OwnerId;
    const call = this.parts.submit(batches).finally(() => {
      this.running.delete(call);
      this.endGathering(call);
      this.wake();
    });
    this.running.set(call, first.priority as Priority);
    const hasRoom = batches.length < LEASE_LIMIT && sizeOf(batches) < maxBatch;
    if (first.priority !== PRIORITIES.single || !hasRoom) return true;
    this.gather(call);
    return first.hasLater ?? true;
  }

  /**
   * A call with room for more has taken all singles that were due. Those that come meanwhile go together when it ends, or after a
   * moment: a call for each would cost more than it sends. A single that comes alone is sent at once.
   */
  private gather(call: Promise<void>): void {
    this.gathering = call;
    setTimeout(() => {
      if (this.endGathering(call)) this.wake();
    }, GATHER_MS).unref();
  }

  private endGathering(call: Promise<void>): boolean {
    if (this.gathering !== call) return false;
    this.gathering = undefined;
    return true;
  }

  /** Bulks leave room for one call, so that no code waits for a slow one of them. Null when there is none. */
  private lowest(concurrency: number): Priority | null {
    if (this.running.size >= concurrency) return null;
    const bulks = [...this.running.values()].filter((p) => p === PRIORITIES.bulk).length;
    return bulks < Math.max(1, concurrency - 1) ? PRIORITIES.bulk : PRIORITIES.single;
  }
}

const sizeOf = (batches: LeasedBatch[]) => batches.reduce((sum, { size }) => sum + size, 0);
