import type { MigrationInterface, QueryRunner } from 'typeorm';

export class ChannelChats1763700000378 implements MigrationInterface {
  async up(q: QueryRunner): Promise<void> {
    await q.query(`
      -- The chat in which a channel reaches a phone number: people open it, the channel cannot. A number has one, and a chat is of one number.
      create table channel_chats (
        channel text not null references channels (name),
        phone text not null check (length(phone) <= 20),
        -- The carrier's id of it.
        chat text not null check (length(chat) between 1 and 20),
        -- Since when it is that of the number.
        since timestamptz not null,
        primary key (channel, phone),
        unique (channel, chat)
      )`);
  }

  async down(q: QueryRunner): Promise<void> {
    await q.query(`drop table channel_chats`);
  }
}
