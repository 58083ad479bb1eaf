import type { QueryRunner } from 'typeorm';
import { ConcurrentIndexes } from './concurrently.ts';

/**
 * What texts are searched by: without case, accents and compatibility forms, as `foldText` of the domain. Characters and rules are those
 * that come with Postgres, whatever the locale of the server. Most texts are of ASCII or Russian and need little. Pieces are
 * bounded, as to put a long run of accents in order takes quadratic time.
 */
const FOLDED = `
  create or replace function folded(text text) returns text immutable strict parallel safe language plpgsql as $f$
  declare
    piece text;
    folded text := '';
  begin
    if octet_length(text) = length(text) or text !~ '[^\\u0001-\\u007f\\u0410-\\u044fЁё«»—–]' then
      return replace(lower(text collate pg_c_utf8), 'ё', 'е');
    end if;
    for start in 1 .. length(text) by 250 loop
      piece := lower(normalize(substr(text, start, 250), nfkd) collate pg_c_utf8);
      piece := replace(replace(replace(piece, E'и\\u0306', 'й'), E'і\\u0308', 'ї'), E'у\\u0306', 'ў');
      folded := folded || regexp_replace(piece, '[\\u0300-\\u036f]+', '', 'g');
    end loop;
    if folded ~ '[ßæœøłđıς’‘]' then
      folded := replace(replace(replace(translate(folded, 'øłđıς’‘', 'oldiσ'''''), 'ß', 'ss'), 'æ', 'ae'), 'œ', 'oe');
    end if;
    return folded;
  end $f$`;

/** The words of a contact. Its body is resolved when it is made, so that a restore without a search path can use it. */
const CONTACT_TERMS = `
  create or replace function contact_terms(email text, last text, first text, middle text) returns tsvector
    immutable parallel safe language sql
    return array_to_tsvector(array_remove(string_to_array(translate(
      folded(coalesce(last, '') || ' ' || coalesce(first, '') || ' ' || coalesce(middle, '') || ' ' || coalesce(email, '')),
      '-''.,()@_+', '         '), ' '), ''))`;

const CONTACT_WORDS = `
  create or replace function contact_words(email text, last text, first text, middle text) returns tsvector
    immutable parallel safe language sql
    as $f$
      select array_to_tsvector(array_remove(string_to_array(translate(
        lower((coalesce(last, '') || ' ' || coalesce(first, '') || ' ' || coalesce(middle, '') || ' ' || coalesce(email, '')) collate "und-x-icu"),
        '-''’.,()@_+', '          '), ' '), '')) $f$`;

const PERSON = `username || E'\\n' || coalesce(data->>'email', '') || E'\\n' || coalesce(data->>'phone', '')
  || E'\\n' || coalesce(data->>'firstName', '') || ' ' || coalesce(data->>'lastName', '')`;
const INCOMING = `"from" || E'\\n' || coalesce(payload->>'text', '')`;
const PENDING = 'with (gin_pending_list_limit = 65536)';

/** An index of parts of texts, within an account. */
const parts = (...texts: string[]) =>
  `using gin (owner_id, ${texts.map((text) => `folded(${text}) gin_trgm_ops`).join(', ')})`;
const formerParts = (...texts: string[]) =>
  `using gin (owner_id, ${texts.map((text) => `${text} gin_trgm_ops`).join(', ')})`;

/** Lists find texts whatever their case and accents, by indexes on what is compared. */
export class FoldedSearch1763700000137 extends ConcurrentIndexes {
  protected readonly indexes = {
    tasks_search: `on tasks ${parts('title')}`,
    links_search: `on links ${parts('url')}`,
    templates_search: `on templates ${parts('title', `payload ->> 'text'`)}`,
    files_search: `on files ${parts('title', 'filename')}`,
    contact_lists_search: `on contact_lists ${parts('title')}`,
    sendernames_search: `on sendernames ${parts('name', 'comment')}`,
    users_search: `on users using gin (folded(${PERSON}) gin_trgm_ops)`,
    // Ids of banks are found as a whole.
    payments_search:
      'on payments using gin (owner_id, folded(card_number) gin_trgm_ops, external_id gin_trgm_ops)',
    billings_search: `on billings ${parts('comment')} where source < 0 and comment is not null`,
    visits_search: `on visits ${parts('ip', 'useragent', `data->>'country'`, `data->>'city'`)}`,
    invoices_search: `on invoices ${parts('doc_number', `snapshot #>> '{titles,requisite}'`)}`,
    sendings_incoming_search: `on sendings_incoming using gin (folded(${INCOMING}) gin_trgm_ops)`,
    contacts_search: `on contacts using gin (phone gin_trgm_ops, contact_terms(email, last_name, first_name, middle_name)) ${PENDING}`,
  };

  protected override readonly replaced = {
    tasks_words: `on tasks ${formerParts('title')}`,
    links_words: `on links ${formerParts('url')}`,
    templates_words: `on templates ${formerParts('title', `(payload ->> 'text')`)}`,
    files_words: `on files ${formerParts('title', 'filename')}`,
    contact_lists_words: `on contact_lists ${formerParts('title')}`,
    sendernames_words: `on sendernames ${formerParts('name', 'comment')}`,
    users_words: `on users using gin ((${PERSON}) gin_trgm_ops)`,
    payments_words: `on payments ${formerParts('card_number', 'external_id')}`,
    billings_words: `on billings ${formerParts('comment')} where source < 0 and comment is not null`,
    visits_words: `on visits ${formerParts('ip', 'useragent', `(data->>'country')`, `(data->>'city')`)}`,
    invoices_words: `on invoices ${formerParts('doc_number', `(snapshot #>> '{titles,requisite}')`)}`,
    sendings_incoming_words: `on sendings_incoming using gin ((${INCOMING}) gin_trgm_ops)`,
    contacts_words: `on contacts using gin (phone gin_trgm_ops, contact_words(email, last_name, first_name, middle_name)) ${PENDING}`,
  };

  override async up(q: QueryRunner): Promise<void> {
    await q.query(FOLDED);
    await q.query(CONTACT_TERMS);
    await super.up(q);
    await q.query('drop function if exists contact_words');
  }

  override async down(q: QueryRunner): Promise<void> {
    await q.query(CONTACT_WORDS);
    await super.down(q);
    await q.query('drop function contact_terms, folded');
  }
}
