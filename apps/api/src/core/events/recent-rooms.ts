import { MAX_PAGE_AGE_SECONDS } from '@heliograph/contract';
import type { Redis } from 'ioredis';
import { currentTime } from '../time.ts';

const SPAN_MS = 10_000;
/** How much the clocks of two machines may differ, and how long a handshake may be on its way. */
const SLACK_MS = 2000;
const KEPT_SECONDS = MAX_PAGE_AGE_SECONDS + (2 * SPAN_MS) / 1000;
/** The room of what goes to all. */
const ALL = '*';

/**
 * When a room got an event last, in Redis, in one sorted set for ten seconds: a page that has opened its socket asks for its data again
 * only if it may have missed something since it began.
 */
export class RecentRooms {
  private last?: number;

  constructor(
    private readonly redis: Redis,
    private readonly prefix: string,
  ) {}

  /** To be called before the event is published over the same connection: who joins a room too late for it then finds it here. */
  note(rooms: string[] = [ALL]): void {
    const now = currentTime();
    const span = spanOf(now);
    const commands = this.redis.pipeline();
    commands.zadd(this.keyOf(span), ...rooms.flatMap((room) => [now, room]));
    if (span !== this.last) commands.expire(this.keyOf(span), KEPT_SECONDS);
    this.last = span;
    commands.exec().catch(() => undefined);
  }

  /** Whether one of the rooms, or all, may have got an event since `from`, which is at most a page's greatest age ago. */
  async anySince(from: number, rooms: string[]): Promise<boolean> {
    const since = from - SLACK_MS;
    const commands = this.redis.pipeline();
    for (let span = spanOf(since); span <= spanOf(currentTime() + SLACK_MS); span++)
      commands.zmscore(this.keyOf(span), [ALL, ...rooms]);
    const answers = await commands.exec().catch(() => null);
    // Unknown without Redis.
    if (!answers) return true;
    return answers.some(
      ([error, times]) =>
        error || (times as (string | null)[]).some((time) => Number(time) >= since),
    );
  }

  private readonly keyOf = (span: number): string => `${this.prefix}${span}`;
}

const spanOf = (time: number): number => Math.floor(time / SPAN_MS);
