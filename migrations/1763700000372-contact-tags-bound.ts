import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * The function found `folded` by the search path, which is empty while Postgres analyzes a table or restores a copy of it: both failed as
 * soon as a contact had tags. A body that is parsed when it is declared needs no path.
 */
export class ContactTagsBound1763700000372 implements MigrationInterface {
  async up(q: QueryRunner): Promise<void> {
    await q.query(`
      create or replace function contact_tags(list_id uuid, tags text[]) returns text[] immutable strict parallel safe cost 1000 language sql
      return array(select list_id::text || ' ' || folded(tag) from unnest(tags) tag)
    `);
  }

  async down(q: QueryRunner): Promise<void> {
    await q.query(`
      create or replace function contact_tags(list_id uuid, tags text[]) returns text[] immutable strict parallel safe cost 1000 language plpgsql as $f$
      begin
        return array(select list_id::text || ' ' || folded(tag) from unnest(tags) tag);
      end
      $f$
    `);
  }
}
