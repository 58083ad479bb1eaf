import type { MigrationInterface, QueryRunner } from 'typeorm';

/** What workers and carriers said to each other, without texts and secrets; kept for a week. */
export class ExchangesOfChannels1763700000194 implements MigrationInterface {
  async up(q: QueryRunner): Promise<void> {
    await q.query(`
      create table channel_exchanges (
        id uuid primary key default uuidv7(),
        channel text not null,
        at timestamptz not null,
        outcome text not null,
        -- Of the first messages of the call.
        sending_ids uuid[] not null,
        tails text[] not null,
        messages integer not null,
        request text not null,
        answer text not null,
        ms integer not null
      );
      create index channel_exchanges_channel on channel_exchanges (channel, id desc);
      create index channel_exchanges_failed on channel_exchanges (channel, id desc) where outcome <> 'accepted';
      create index channel_exchanges_sendings on channel_exchanges using gin (sending_ids);
      create index channel_exchanges_tails on channel_exchanges using gin (tails);
    `);
  }

  async down(q: QueryRunner): Promise<void> {
    await q.query(`drop table channel_exchanges`);
  }
}
