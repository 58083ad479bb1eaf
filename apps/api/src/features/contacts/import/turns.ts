import { AppError } from '../../../core/errors.ts';

const AT_A_TIME = 2;
/** One runs and one waits, or both run. */
const OF_AN_ACCOUNT = 2;
/** With an idempotency key whoever waits holds a connection as well, as whoever runs does. */
const IN_HAND = 6;
const RETRY_SECONDS = 10;

/** Work that takes long, in a process: some at a time, some wait for their turn, more are refused. */
export class Turns {
  private readonly inHand: string[] = [];
  private readonly waiting: (() => void)[] = [];
  private running = 0;

  /** Does the work when its turn comes; throws `rate_limited` at once when too many are in front of it. */
  async take<T>(OwnerId: string, work: () => Promise<T>): Promise<T> {
    const own = this.inHand.filter((owner) => owner === OwnerId).length;
    if (own >= OF_AN_ACCOUNT || this.inHand.length >= IN_HAND) throw busy();
    this.inHand.push(OwnerId);
    try {
      if (this.running < AT_A_TIME) this.running++;
      else await new Promise<void>((resolve) => this.waiting.push(resolve));
      return await work().finally(() => this.pass());
    } finally {
      this.inHand.splice(this.inHand.indexOf(OwnerId), 1);
    }
  }

  /** The place goes to the next that waits, else it is free. */
  private pass(): void {
    const next = this.waiting.shift();
    if (next) next();
    else this.running--;
  }
}

function busy(): AppError {
  return new AppError('rate_limited', 'Other files are being read, try again in a moment', {
    headers: { 'retry-after': String(RETRY_SECONDS) },
    payload: { expires_at: new Date(Date.now() + RETRY_SECONDS * 1000).toISOString() },
  });
}
