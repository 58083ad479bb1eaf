import { createHash } from 'node:crypto';
import {
  limitKey,
  limitsOfMessage,
  type LimitedMessage,
  type MessageLimit,
} from '@heliograph/domain';

/** Hexadecimal digits that tell the tables of limits of all channels apart. */
const VERSION_LENGTH = 12;

/**
 * The limits of messages of a channel, as its batches name them: `<version>:<index>,<index>`. The version changes with the conditions of the
 * limits and with the channel, so that a batch which was written, or moved, before that is known to be looked at again.
 */
export class LimitTable {
  readonly version: string;
  readonly keys: readonly string[];
  private readonly find: ReturnType<typeof limitsOfMessage>;

  constructor(
    channel: string,
    readonly limits: readonly MessageLimit[],
  ) {
    this.keys = limits.map(limitKey);
    this.version = createHash('sha256')
      .update(JSON.stringify([channel, ...this.keys]))
      .digest('hex')
      .slice(0, VERSION_LENGTH);
    this.find = limitsOfMessage(limits);
  }

  /** What a batch of such messages is marked with. */
  markOf(message: LimitedMessage): string {
    return this.mark(this.find(message));
  }

  mark(limits: readonly number[]): string {
    return `${this.version}:${limits.join(',')}`;
  }

  /** Indexes of the limits of a batch; null if it is marked by another table, or not at all. */
  limitsOf(mark: string): number[] | null {
    const [version, indexes] = mark.split(':');
    if (version !== this.version) return null;
    return indexes ? indexes.split(',').map(Number) : [];
  }
}
