import { Injectable } from '@nestjs/common';
import type { Socket } from 'socket.io';
import { AppError } from '../errors.ts';

/** Connections of one network that have not authenticated yet. */
const MAX_OPENING_PER_ADDRESS = 250;
/** Sockets of one account in one process. */
const MAX_PER_ACCOUNT = 300;

type Connection = Pick<Socket['conn'], 'readyState' | 'once'>;

/** Limits the connections of one process: per network before authentication, per account afterwards. */
@Injectable()
export class ConnectionLimits {
  private readonly opening = new Counts();
  private readonly accounts = new Counts();
  private readonly leaveOpening = new WeakMap<Connection, () => void>();
  private readonly counted = new WeakSet<Connection>();

  mayOpen(network: string): boolean {
    return this.opening.of(network) < MAX_OPENING_PER_ADDRESS;
  }

  opened(network: string, connection: Connection): void {
    const leave = this.opening.add(network);
    this.leaveOpening.set(connection, leave);
    connection.once('close', leave);
  }

  /** Throws `rate_limited` beyond the limit. A connection counts once, however often it authenticates. */
  signedIn(OwnerId: string, connection: Connection): void {
    this.leaveOpening.get(connection)?.();
    if (this.counted.has(connection)) return;
    if (connection.readyState !== 'open')
      throw new AppError('bad_request', 'The connection is closed');
    if (this.accounts.of(OwnerId) >= MAX_PER_ACCOUNT) throw new AppError('rate_limited');
    this.counted.add(connection);
    connection.once('close', this.accounts.add(OwnerId));
  }
}

/** Counters by key. `add` returns a function that takes the count back once. */
class Counts {
  private readonly counts = new Map<string, number>();

  of(key: string): number {
    return this.counts.get(key) ?? 0;
  }

  add(key: string): () => void {
    this.counts.set(key, this.of(key) + 1);
    let isReleased = false;
    return () => {
      if (isReleased) return;
      isReleased = true;
      const remaining = this.of(key) - 1;
      if (remaining) this.counts.set(key, remaining);
      else this.counts.delete(key);
    };
  }
}
