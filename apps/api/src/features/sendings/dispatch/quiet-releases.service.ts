import { Injectable } from '@nestjs/common';
import { BATCH_STAGES, DEFAULT_GROUP, typeOf } from '@heliograph/domain';
import { Clock } from '../../../core/clock.ts';
import { Events } from '../../../core/events/events.ts';
import { Sweeps } from '../../../core/jobs/handlers.ts';
import { Jobs } from '../../../core/jobs/queue.ts';
import { QuietHoursService } from '../../quiet-hours/quiet-hours.service.ts';
import { QuietService, type WaitOf } from '../quiet.service.ts';
import { DispatchStore } from './dispatch.store.ts';
import {
  QuietReleasesStore,
  type PostponedBatch,
  type PostponedRow,
} from './quiet-releases.store.ts';

/** After a change of quiet hours: messages that no longer have to wait, or not as long, are due earlier; none is due later. */
@Injectable()
export class QuietReleasesService {
  constructor(
    private readonly clock: Clock,
    private readonly events: Events,
    private readonly jobs: Jobs,
    private readonly hours: QuietHoursService,
    private readonly quiet: QuietService,
    private readonly batches: DispatchStore,
    private readonly store: QuietReleasesStore,
  ) {}

  @Sweeps(1000)
  planOfCountries(): Promise<boolean> {
    return this.hours.planCountryReleases(this.clock.now());
  }

  @Sweeps(1000)
  release(): Promise<boolean> {
    const now = this.clock.now();
    return this.hours.release(now, async ({ OwnerId, cursor }) => {
      const ids = await this.store.page(OwnerId, cursor);
      const batches = await this.store.lockPostponed(ids, now);
      if (batches.length) await this.compare(OwnerId, batches, now);
      return ids.at(-1) ?? null;
    });
  }

  private async compare(OwnerId: string, batches: PostponedBatch[], now: Date): Promise<void> {
    const rows = await this.store.rows(batches.map(({ id }) => id));
    const rowsOf = Map.groupBy(rows, (row) => row.batchId);
    const waits = new Map<string, WaitOf | null>();
    const whole: { id: string; dueAt: Date }[] = [];
    const released: PostponedRow[] = [];
    for (const batch of batches) {
      const kind = { type: typeOf(batch.type), isBulk: batch.taskId !== null };
      const key = `${batch.type} ${kind.isBulk}`;
      if (!waits.has(key)) waits.set(key, await this.quiet.of(OwnerId, kind));
      const own = rowsOf.get(batch.id) ?? [];
      const earlier = own.filter((row) => row.OwnerId === OwnerId);
      const times = Map.groupBy(earlier, (row) => dueAt(row, batch, waits.get(key)!, now));
      times.delete(batch.dueAt.getTime());
      const moves = [...times];
      released.push(...moves.flatMap(([, moved]) => moved));
      // The batch itself moves with the last ones if nothing of it stays.
      const isWhole = moves.reduce((sum, [, moved]) => sum + moved.length, 0) === own.length;
      const last = isWhole ? moves.pop() : undefined;
      for (const [time, moved] of moves)
        await this.batches.split(
          batch,
          moved.map(({ id }) => id),
          {
            stage: BATCH_STAGES.pending,
            tries: batch.tries,
            dueAt: new Date(time),
            postponedFrom: batch.postponedFrom,
          },
        );
      if (last) whole.push({ id: batch.id, dueAt: new Date(last[0]) });
    }
    if (whole.length) await this.store.bringForward(whole);
    if (!released.length) return;
    for (const [groupId, { length }] of Map.groupBy(released, (row) => row.groupId))
      this.events.counted('sendings', 'updated', OwnerId, groupId, length);
    this.jobs.enqueue('sendings.dispatch', {});
  }
}

/** In milliseconds; not later than that of the batch. */
function dueAt(
  { phone, group, isExempt }: PostponedRow,
  batch: PostponedBatch,
  waitOf: WaitOf | null,
  now: Date,
): number {
  const from = batch.postponedFrom > now ? batch.postponedFrom : now;
  const until = isExempt ? null : waitOf?.({ address: phone, group: group ?? DEFAULT_GROUP }, from);
  return Math.min((until ?? from).getTime(), batch.dueAt.getTime());
}
