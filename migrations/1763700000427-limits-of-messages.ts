import type { QueryRunner } from 'typeorm';
import { ConcurrentIndexes } from './concurrently.ts';

const QUEUES = '00000000-0000-0000-0000-00000000000';
const QUEUE = `(coalesce(task_id, case urgency when 1 then '${QUEUES}1'::uuid when -1 then '${QUEUES}2'::uuid else '${QUEUES}0'::uuid end))`;

/** Some senders and destinations of a channel have limits of their own: what counts against different ones waits in different queues. */
export class LimitsOfMessages1763700000427 extends ConcurrentIndexes {
  protected readonly indexes = {
    batches_by_limits: `on batches (channel, priority, ${QUEUE}, limits, due_at, id) where stage = 0`,
  };
  protected override readonly replaced = {
    batches_in_queues: `on batches (channel, priority, ${QUEUE}, due_at, id) where stage = 0`,
  };

  override async up(q: QueryRunner): Promise<void> {
    await q.query(`
      alter table channels add column if not exists limits jsonb not null default '[]'`);
    // Of the table of limits of its channel those against which its messages count; '' while that is not known.
    await q.query(`
      alter table batches add column if not exists limits text collate "C" not null default ''`);
    // As in channel_states.
    await q.query(`
      create table if not exists channel_limit_uses (
        channel text not null, key text not null,
        full_at double precision not null default 0, used_on date, used bigint not null default 0,
        primary key (channel, key))`);
    await super.up(q);
  }

  override async down(q: QueryRunner): Promise<void> {
    await super.down(q);
    await q.query(`drop table channel_limit_uses`);
    await q.query(`alter table batches drop limits`);
    await q.query(`alter table channels drop limits`);
  }
}
