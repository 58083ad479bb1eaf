import type { MigrationInterface, QueryRunner } from 'typeorm';

const ADDED = `'["purchasePrices.get","purchasePrices.update","margins.get"]'::jsonb`;

/** What carriers take for messages, and what submitted messages cost. */
export class PurchasePrices1763700000190 implements MigrationInterface {
  async up(q: QueryRunner): Promise<void> {
    await q.query(`
      -- In force from its start until the next one of the channel.
      create table price_lists (
        id uuid primary key default uuidv7(),
        channel text not null references channels,
        currency text not null,
        valid_from timestamptz not null,
        created_by uuid,
        created_at timestamptz not null default now(),
        unique (channel, valid_from)
      );
      create table purchase_prices (
        list_id uuid not null references price_lists on delete cascade,
        type smallint not null,
        -- A network, a prefix, a country code, a country or all others; see purchase-prices.ts of the domain.
        destination text not null,
        -- Of a segment or a message.
        price numeric(18,6) not null check (price >= 0),
        primary key (list_id, type, destination)
      );
      -- Messages of one batch to one network that a carrier has accepted, written with the record of the submit.
      create table message_costs (
        batch_id bigint not null,
        owner_id uuid not null,
        channel text not null,
        type smallint not null,
        -- Null of what is no number of a known network.
        mccmnc text,
        submitted_at timestamptz not null,
        messages integer not null,
        -- What was charged for them, and for those of the batch that were rejected, which are refunded.
        amount numeric(18,4) not null,
        -- What the carrier bills: segments or messages, and the price of one. Null where there was none: unknown is not 0.
        units integer not null,
        price numeric(18,6),
        currency text,
        check ((price is null) = (currency is null))
      ) with (autovacuum_vacuum_insert_scale_factor = 0.05);
      create index message_costs_batch on message_costs (batch_id);
      -- Rows are written in the order of time.
      create index message_costs_submitted on message_costs using brin (submitted_at) with (pages_per_range = 32, autosummarize = on);
    `);
    await q.query(
      `update users set grants = jsonb_set(grants, '{add}', (grants->'add') || ${ADDED})
        where grants->'add' ? 'users.all' and not grants->'add' ? 'purchasePrices.get'`,
    );
  }

  async down(q: QueryRunner): Promise<void> {
    await q.query(
      `update users set grants = jsonb_set(grants, '{add}', (grants->'add') - array['purchasePrices.get', 'purchasePrices.update', 'margins.get'])
        where grants->'add' ? 'purchasePrices.get'`,
    );
    await q.query(`drop table message_costs, purchase_prices, price_lists`);
  }
}
