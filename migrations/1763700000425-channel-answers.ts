import type { MigrationInterface, QueryRunner } from 'typeorm';

export class ChannelAnswers1763700000425 implements MigrationInterface {
  async up(q: QueryRunner): Promise<void> {
    await q.query(`
      -- What a channel has to say in a chat, of carriers that read no answers to their calls. Kept for minutes; of a chat only the last.
      create table channel_answers (
        channel text not null references channels (name),
        -- The carrier's id of it.
        chat text not null check (length(chat) between 1 and 20),
        -- As the driver of the channel sends it.
        answer text not null check (length(answer) <= 8000),
        since timestamptz not null,
        due_at timestamptz not null,
        primary key (channel, chat)
      );
      create index channel_answers_due on channel_answers (due_at)`);
  }

  async down(q: QueryRunner): Promise<void> {
    await q.query(`drop table channel_answers`);
  }
}
