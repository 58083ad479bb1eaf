import type { QueryRunner } from 'typeorm';
import { ConcurrentIndexes } from './concurrently.ts';

/** What lists are searched along: any part of a text, within an account. Shorter than three letters it is the account alone. */
export class Words1763700000032 extends ConcurrentIndexes {
  protected readonly indexes = {
    tasks_words: 'on tasks using gin (owner_id, title gin_trgm_ops)',
    links_words: 'on links using gin (owner_id, url gin_trgm_ops)',
    templates_words: `on templates using gin (owner_id, title gin_trgm_ops, (payload ->> 'text') gin_trgm_ops)`,
  };

  override async up(q: QueryRunner): Promise<void> {
    await q.query(`create extension if not exists btree_gin`);
    await super.up(q);
  }

  override async down(q: QueryRunner): Promise<void> {
    await super.down(q);
    await q.query(`drop extension btree_gin`);
  }
}
