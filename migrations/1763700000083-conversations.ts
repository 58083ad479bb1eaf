import type { QueryRunner } from 'typeorm';
import { ConcurrentIndexes } from './concurrently.ts';

/** Conversations of accounts with persons, and the index that reads the messages to a person in their order. */
export class Conversations1763700000083 extends ConcurrentIndexes {
  protected readonly indexes = {
    // In place of sendings_phone.
    sendings_person: 'on sendings (owner_id, phone, id)',
  };

  override async up(q: QueryRunner): Promise<void> {
    const found = (await q.query(`select to_regclass('conversations') as name`)) as {
      name: string | null;
    }[];
    // One query without parameters is one transaction, and an interrupted migration runs again.
    if (!found[0]?.name)
      await q.query(`
      create table conversations (
        id uuid primary key default uuidv7(),
        owner_id uuid not null references users(id) on delete cascade,
        -- Compared by its bytes, as sendings.phone.
        address text not null collate "C",
        state text not null check (state in ('waiting', 'answered', 'closed')),
        unread integer not null default 0,
        -- The last incoming message or reply. Its text stays where it is, so it is erased and expires there.
        last_id uuid not null unique,
        is_last_incoming boolean not null,
        -- To which the person wrote last.
        type smallint not null,
        sender text not null,
        unique (owner_id, address)
      ) with (fillfactor = 80);
      create index conversations_owner on conversations (owner_id, last_id);
      create index conversations_state on conversations (owner_id, state, last_id);
      create index conversations_type on conversations (owner_id, type, last_id);
      create index conversations_unread on conversations (owner_id, id) where unread > 0;

      -- Nobody waits for an answer to what came before there were conversations.
      insert into conversations (owner_id, address, state, last_id, is_last_incoming, type, sender)
      select distinct on (i.owner_id, i."from") i.owner_id, i."from", 'closed', i.id, true, i.type, i."to"
        from sendings_incoming i join users u on u.id = i.owner_id
       order by i.owner_id, i."from", i.id desc;
      `);
    await super.up(q);
    await q.query(`drop index concurrently if exists sendings_phone`);
  }

  override async down(q: QueryRunner): Promise<void> {
    await q.query(`create index if not exists sendings_phone on sendings (owner_id, phone)`);
    await super.down(q);
    await q.query(`drop table conversations`);
  }
}
