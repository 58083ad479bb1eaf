import type { DataSource } from 'typeorm';
import type { Log } from '../log.ts';
import { setTime } from '../time.ts';

/** Milliseconds since 1970. */
export const DATABASE_TIME = `select extract(epoch from clock_timestamp())::float8 * 1000 as time`;
/** How often the clock is compared with that of the database. */
const EVERY_MS = 10_000;
/** How often is looked whether the clock of the machine was put, or the machine slept, so that measured time stood still. */
const LOOK_MS = 500;
/** The clock of the machine moves so much against measured time by itself. */
const SLEW_MS = 200;
/** Differences of clocks of machines that are not worth a line in the log. */
const NOTED_MS = 2000;
/** A time that took longer to come is too inexact, unless it is the first. */
const MAX_TRIP_MS = 1000;
/** How soon it is asked again after no answer, or one that took too long. */
const AGAIN_MS = 1000;
const TOLERANCE_MS = 50;

/** Keeps the clock of a process with that of the database, of which there is one, whatever the clock of the machine says. */
export class DatabaseClock {
  private readonly timer: NodeJS.Timeout;
  private asking: Promise<void> | undefined;
  private due = 0;
  private drift = Date.now() - performance.now();
  private isSet = false;
  private isNoted = false;

  private constructor(
    private readonly dataSource: DataSource,
    private readonly log: Log,
  ) {
    this.timer = setInterval(() => this.look(), LOOK_MS).unref();
  }

  /** Resolves when it has the time of the database, or the database does not tell it. */
  static async start(dataSource: DataSource, log: Log): Promise<DatabaseClock> {
    const clock = new DatabaseClock(dataSource, log);
    await clock.ask();
    return clock;
  }

  stop(): void {
    clearInterval(this.timer);
  }

  private look(): void {
    const drift = Date.now() - performance.now();
    const isPut = Math.abs(drift - this.drift) > SLEW_MS;
    if (isPut || performance.now() >= this.due) void this.ask();
  }

  /** One question at a time; never rejects. */
  private ask(): Promise<void> {
    this.drift = Date.now() - performance.now();
    this.due = performance.now() + EVERY_MS;
    return (this.asking ??= this.compare()
      .catch((error: unknown) => {
        this.due = performance.now() + AGAIN_MS;
        this.log.debug({ err: error }, 'the database does not tell the time');
      })
      .finally(() => (this.asking = undefined)));
  }

  private async compare(): Promise<void> {
    const sent = performance.now();
    const [row] = await this.dataSource.query<{ time: number }[]>(DATABASE_TIME);
    const trip = performance.now() - sent;
    if (this.isSet && trip > MAX_TRIP_MS) {
      this.due = performance.now() + AGAIN_MS;
      return;
    }
    this.isSet = true;
    const { time } = row!;
    setTime(time, sent + trip / 2, trip / 2 + TOLERANCE_MS);
    this.note(Date.now() - (time + trip / 2));
  }

  /** Once when it becomes wrong, and once when it is right again. */
  private note(aheadMs: number): void {
    const isWrong = Math.abs(aheadMs) > NOTED_MS;
    if (isWrong === this.isNoted) return;
    this.isNoted = isWrong;
    const aheadSeconds = Math.round(aheadMs / 1000);
    if (isWrong)
      this.log.warn(
        { aheadSeconds },
        'The clock of this machine differs from that of the database, which is used. Check the synchronization of both.',
      );
    else this.log.info({ aheadSeconds }, 'The clock of this machine is right again');
  }
}
