import type { MigrationInterface, QueryRunner } from 'typeorm';

const KEPT = `'[^\\u0001-\\u007f\\u0410-\\u044fЁё«»—–]'`;

const folded = (simple: string, written: string, rare: string) => `
  create or replace function folded(text text) returns text immutable strict parallel safe language plpgsql as $f$
  declare
    piece text;
    folded text := '';
  begin
    if octet_length(text) = length(text) or text !~ ${KEPT} then
      return ${simple};
    end if;
    for start in 1 .. length(text) by 250 loop
      piece := lower(normalize(${written}, nfkd) collate pg_c_utf8);
      piece := replace(replace(replace(piece, E'и\\u0306', 'й'), E'і\\u0308', 'ї'), E'у\\u0306', 'ў');
      folded := folded || regexp_replace(piece, '[\\u0300-\\u036f]+', '', 'g');
    end loop;
    ${rare}
    return folded;
  end $f$`;

const APOSTROPHES = '`ʹʻʼʽʾʿˈˊˋ՚׳‘’‛′‵ꞌ';
const LETTERS = `'ß', 'ss'), 'æ', 'ae'), 'œ', 'oe')`;
const NOW = folded(
  `translate(lower(text collate pg_c_utf8), 'ё\`', 'е''')`,
  `translate(substr(text, start, 250), '´', '''')`,
  `if folded ~ '[ßæœøłđıς${APOSTROPHES}]' then
      folded := replace(replace(replace(translate(folded, 'øłđıς${APOSTROPHES}', 'oldiσ${`''`.repeat(APOSTROPHES.length)}'), ${LETTERS};
    end if;`,
);
const BEFORE = folded(
  `replace(lower(text collate pg_c_utf8), 'ё', 'е')`,
  `substr(text, start, 250)`,
  `if folded ~ '[ßæœøłđıς’‘]' then
      folded := replace(replace(replace(translate(folded, 'øłđıς’‘', 'oldiσ'''''), ${LETTERS};
    end if;`,
);

/** Indexes on folded texts, also through other functions, and what an interrupted run has left of new ones. */
async function indexes(q: QueryRunner): Promise<{ name: string; isLeft: boolean }[]> {
  return (await q.query(
    `select indexrelid::regclass::text as name, not indisvalid and relname ~ '_ccnew\\d*$' as "isLeft"
       from pg_index join pg_class on pg_class.oid = indexrelid
      where pg_get_indexdef(indexrelid) ~ '\\m(folded|contact_terms|contact_tags)\\(' order by 1`,
  )) as { name: string; isLeft: boolean }[];
}

/**
 * An apostrophe is found by whatever letter or sign it is written as, as `foldText` of the domain says. What is indexed is indexed anew
 * while it is written: outside of a transaction, and once more after an interruption.
 */
export class FoldedApostrophes1763700000387 implements MigrationInterface {
  /** Read by TypeORM. */
  readonly transaction = false;

  async up(q: QueryRunner): Promise<void> {
    await q.query(NOW);
    for (const { name, isLeft } of await indexes(q))
      await q.query(
        isLeft ? `drop index concurrently ${name}` : `reindex index concurrently ${name}`,
      );
  }

  /** In a transaction, as all that goes down. */
  async down(q: QueryRunner): Promise<void> {
    await q.query(BEFORE);
    for (const { name } of await indexes(q)) await q.query(`reindex index ${name}`);
  }
}
