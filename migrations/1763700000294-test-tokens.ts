import type { MigrationInterface, QueryRunner } from 'typeorm';

export class TestTokens1763700000294 implements MigrationInterface {
  async up(q: QueryRunner): Promise<void> {
    await q.query(`
      -- Its messages reach nobody and cost nothing.
      alter table tokens add is_test boolean not null default false;
      -- All test tokens that there ever were: messages name their token also when it was removed.
      create table test_tokens (id uuid primary key);
      -- The channel of their messages. It takes no type, so that no other message is routed to it.
      insert into channels (name, driver, types, options)
      values ('__test__', 'simulator', '{}', '{"failed": 0, "temporary": 0, "silent": 0, "rejected": 0, "throttled": 0, "replies": 0}');
    `);
  }

  async down(q: QueryRunner): Promise<void> {
    await q.query(`
      delete from channels where name = '__test__';
      drop table test_tokens;
      alter table tokens drop is_test;
    `);
  }
}
