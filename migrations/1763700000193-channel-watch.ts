import type { MigrationInterface, QueryRunner } from 'typeorm';

/** What channels did lately, and what is wrong with them. */
export class ChannelWatch1763700000193 implements MigrationInterface {
  async up(q: QueryRunner): Promise<void> {
    await q.query(`
      -- Results of submits by minute, kept for two days.
      create table channel_minutes (
        channel text not null,
        at timestamptz not null,
        accepted integer not null default 0,
        rejected integer not null default 0,
        throttled integer not null default 0,
        unsent integer not null default 0,
        unknown integer not null default 0,
        primary key (channel, at)
      );
      create index channel_minutes_at on channel_minutes (at);
      -- Final receipts by ten minutes and network, kept for two days; times since the submit by buckets of receiptBucket.
      create table channel_receipts (
        channel text not null,
        at timestamptz not null,
        -- '' of numbers of no known network.
        mccmnc text not null,
        delivered integer not null default 0,
        failed integer not null default 0,
        times integer[] not null,
        primary key (channel, at, mccmnc)
      );
      create index channel_receipts_at on channel_receipts (at);
      -- One row for each episode; raised_at is null until it has lasted long enough to be told.
      create table channel_alarms (
        id bigint generated always as identity primary key,
        channel text not null,
        kind text not null,
        mccmnc text,
        data jsonb not null,
        since timestamptz not null,
        raised_at timestamptz,
        ended_at timestamptz
      );
      create unique index channel_alarms_open on channel_alarms (channel, kind, mccmnc) nulls not distinct where ended_at is null;
      create index channel_alarms_channel on channel_alarms (channel, id desc);
    `);
  }

  async down(q: QueryRunner): Promise<void> {
    await q.query(`drop table channel_alarms, channel_receipts, channel_minutes`);
  }
}
