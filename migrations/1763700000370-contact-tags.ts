import type { MigrationInterface, QueryRunner } from 'typeorm';

export class ContactTags1763700000370 implements MigrationInterface {
  async up(q: QueryRunner): Promise<void> {
    await q.query(`
      -- As they are shown; of those that fold to the same text a contact has one.
      alter table contacts add tags text[] not null default '{}'
    `);
    // The list stands before the tag: contacts of other accounts with the same tag are not read. Its cost keeps the planner from
    // computing it for every contact of a list.
    await q.query(`
      create function contact_tags(list_id uuid, tags text[]) returns text[] immutable strict parallel safe cost 1000 language plpgsql as $f$
      begin
        return array(select list_id::text || ' ' || folded(tag) from unnest(tags) tag);
      end
      $f$
    `);
  }

  async down(q: QueryRunner): Promise<void> {
    await q.query(`drop function contact_tags`);
    await q.query(`alter table contacts drop tags`);
  }
}
