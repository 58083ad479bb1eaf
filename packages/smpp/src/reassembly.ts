import type { Concatenation, Content } from './incoming.ts';
import { textOf } from './incoming.ts';

/** A part of a message of a person. */
export interface IncomingPart {
  from: string;
  to: string;
  content: Joinable & { concatenation: Concatenation };
}

/** What of a part is joined. */
export type Joinable = Pick<Content, 'octets' | 'alphabet'>;

export interface WholeMessage {
  from: string;
  to: string;
  text: string;
}

export interface ReassemblyOptions {
  /** Stores a message. Its parts are acknowledged when this resolves. */
  deliver(message: WholeMessage): Promise<void>;
  /** How long the acknowledgement of a part waits for the others: carriers that send one at a time wait for it in turn. */
  holdMs?: number;
  /** After this time a message is delivered without the parts that did not come. */
  timeoutMs?: number;
  /** Octets of parts that wait. Beyond them the oldest messages are delivered as they are, beyond their double parts are refused. */
  maxOctets?: number;
}

interface Part {
  content: Joinable;
  /** The carrier will not send it again. */
  isAcknowledged: boolean;
}

interface Waiting {
  from: string;
  to: string;
  total: number;
  parts: Map<number, Part>;
  timer: NodeJS.Timeout;
  done: PromiseWithResolvers<void>;
}

const GAP = '…';
/** What a waiting part costs beside its octets. */
const OVERHEAD = 200;
const costOf = ({ content }: Part) => content.octets.length + OVERHEAD;

/** Joins the parts of long messages, which come in any order, late, twice or never. */
export class Reassembly {
  private readonly options: Required<ReassemblyOptions>;
  /** In the order of their first parts. */
  private readonly waiting = new Map<string, Waiting>();
  /** Of all parts that are not delivered. */
  private octets = 0;

  constructor(options: ReassemblyOptions) {
    this.options = { holdMs: 2_000, timeoutMs: 600_000, maxOctets: 8_000_000, ...options };
  }

  /** Messages that wait for parts. */
  get size(): number {
    return this.waiting.size;
  }

  /**
   * Resolves when the part may be acknowledged: its message is delivered, or it was held long enough. Rejects if its message could
   * not be delivered or there is no room: the carrier sends the part again.
   */
  async add({ from, to, content }: IncomingPart): Promise<void> {
    const { reference, total, index } = content.concatenation;
    if (this.octets > 2 * this.options.maxOctets) throw new Error('Too many parts are waiting');
    const key = JSON.stringify([from, to, reference, total]);
    const before = this.waiting.get(key)?.parts.get(index);
    // The same place with other content: the reference is used again, for the next message of this person.
    if (before && !before.content.octets.equals(content.octets)) this.complete(key);
    const message = this.waiting.get(key) ?? this.open(key, { from, to, total });
    const part = this.put(message, index, { content, isAcknowledged: false });
    if (message.parts.size === total) {
      this.complete(key);
      return message.done.promise;
    }
    this.makeRoom();
    let timer: NodeJS.Timeout | undefined;
    const held = new Promise<void>((resolve) => {
      timer = setTimeout(() => {
        part.isAcknowledged = true;
        resolve();
      }, this.options.holdMs);
    });
    await Promise.race([message.done.promise, held]).finally(() => clearTimeout(timer));
  }

  /** Delivers what has come of all messages. */
  async flush(): Promise<void> {
    const open = [...this.waiting.entries()];
    for (const [key] of open) this.complete(key);
    await Promise.allSettled(open.map(([, { done }]) => done.promise));
  }

  private open(key: string, about: Pick<Waiting, 'from' | 'to' | 'total'>): Waiting {
    const timer = setTimeout(() => this.complete(key), this.options.timeoutMs);
    timer.unref();
    const done = Promise.withResolvers<void>();
    // The parts that wait for it get the error; there may be none.
    done.promise.catch(() => {});
    const message: Waiting = { ...about, parts: new Map(), timer, done };
    this.waiting.set(key, message);
    return message;
  }

  private put(message: Waiting, index: number, part: Part): Part {
    const present = message.parts.get(index);
    if (present) return present;
    message.parts.set(index, part);
    this.octets += costOf(part);
    return part;
  }

  private makeRoom(): void {
    let waiting = this.octets;
    for (const [key, { parts }] of this.waiting) {
      if (waiting <= this.options.maxOctets) return;
      for (const part of parts.values()) waiting -= costOf(part);
      this.complete(key);
    }
  }

  /** Delivers a message with the parts it has. */
  private complete(key: string): void {
    const message = this.waiting.get(key);
    if (!message) return;
    this.waiting.delete(key);
    clearTimeout(message.timer);
    const { from, to, done, parts } = message;
    const contents = new Map([...parts].map(([index, { content }]) => [index, content]));
    this.options
      .deliver({ from, to, text: joinedText(message.total, contents) })
      .finally(() => {
        for (const part of parts.values()) this.octets -= costOf(part);
      })
      .then(done.resolve, (error: unknown) => {
        this.restore(key, message);
        done.reject(error);
      });
  }

  /** After a failure, the parts that the carrier will not send again wait for the others to come again. */
  private restore(key: string, message: Waiting): void {
    const kept = [...message.parts].filter(([, part]) => part.isAcknowledged);
    if (kept.length === 0) return;
    const again = this.waiting.get(key) ?? this.open(key, message);
    for (const [index, part] of kept) this.put(again, index, part);
  }
}

/**
 * The text of a message of `total` parts, by their places from 1 on, with `…` for those that are missing. Parts that follow each other
 * are decoded together: a character may begin in one and end in the next.
 */
export function joinedText(total: number, parts: ReadonlyMap<number, Joinable>): string {
  let text = '';
  let run: Joinable | undefined;
  for (let index = 1; index <= total + 1; index++) {
    const part = parts.get(index);
    if (part && run && part.alphabet === run.alphabet) {
      run = { ...run, octets: Buffer.concat([run.octets, part.octets]) };
      continue;
    }
    if (run) text += textOf(run);
    if (!part && index <= total) text += GAP;
    run = part;
  }
  return text;
}
