import { Injectable } from '@nestjs/common';
import type { channelSendernames, Page, SendernameChannel } from '@heliograph/contract';
import type { SelectQueryBuilder } from 'typeorm';
import type { AccessScope } from '../../core/auth/actor.ts';
import { Db } from '../../core/db/db.ts';
import { contains, equals, findPage, type ListSql } from '../../core/db/find-page.ts';
import { Store } from '../../core/db/store.ts';
import { notFound } from '../../core/errors.ts';
import type { In } from '../../core/http/endpoint.ts';
import { ChannelSendername } from './channel-sendername.entity.ts';

type Query = In<typeof channelSendernames.find>['query'];

/** A name to be registered. Of one that is registered a given `since` or `note` replaces the former. */
export interface GivenName {
  name: string;
  /** As it is compared. */
  key: string;
}
export interface GivenFields {
  type: 'sms' | 'voice';
  since: Date | null;
  note: string | null | undefined;
}

@Injectable()
export class ChannelSendernamesStore extends Store<ChannelSendername, Query> {
  protected readonly list: ListSql<Query> = {
    order: { since: 'n.since', name: 'n.name' },
    filter: { type: equals('n.type') },
    range: {},
    search: contains('n.name', 'n.note'),
  };

  constructor(db: Db) {
    super(db, ChannelSendername, 'n');
  }

  findOf(channel: string, query: Query): Promise<Page<ChannelSendername>> {
    return findPage(this.db, this.ofChannel(channel), this.list, query);
  }

  async getOf(channel: string, id: string): Promise<ChannelSendername> {
    const row = await this.ofChannel(channel).andWhere('n.id = :id', { id }).getOne();
    if (!row) throw notFound();
    return row;
  }

  /** Locks the channel until the transaction ends, so that changes of its names follow one another. Throws 404 if there is none. */
  async lockChannel(channel: string): Promise<void> {
    const rows = await this.db.query(
      `select 1 from channels where name = $1 and removed_at is null for no key update`,
      [channel],
    );
    if (!rows.length) throw notFound();
  }

  async count(channel: string): Promise<number> {
    const [row] = await this.db.query<{ count: number }>(
      `select count(*)::int as count from channel_sendernames where channel = $1`,
      [channel],
    );
    return row!.count;
  }

  /** Those of the keys that the channel has, each with whether the given fields differ from what is stored. */
  async known(
    channel: string,
    keys: string[],
    { since, note }: GivenFields,
  ): Promise<Map<string, { differs: boolean }>> {
    const rows = await this.db.query<{ key: string; differs: boolean }>(
      `select key, ($3::timestamptz is not null and since <> $3) or ($4 and note is distinct from $5) as differs
         from channel_sendernames where channel = $1 and key = any($2)`,
      [channel, keys, since, note !== undefined, note ?? null],
    );
    return new Map(rows.map(({ key, differs }) => [key, { differs }]));
  }

  async add(
    channel: string,
    names: readonly GivenName[],
    { type, since, note }: GivenFields,
    now: Date,
  ): Promise<void> {
    await this.db.query(
      `insert into channel_sendernames (channel, type, name, key, since, note)
       select $1, $2, g.name, g.key, $5, $6 from unnest($3::text[], $4::text[]) g (name, key)`,
      [
        channel,
        type,
        names.map(({ name }) => name),
        names.map(({ key }) => key),
        since ?? now,
        note ?? null,
      ],
    );
  }

  async change(channel: string, keys: string[], { since, note }: GivenFields): Promise<void> {
    await this.db.query(
      `update channel_sendernames set since = coalesce($3, since), note = case when $4 then $5 else note end
        where channel = $1 and key = any($2)`,
      [channel, keys, since, note !== undefined, note ?? null],
    );
  }

  async removeOf(channel: string, id: string): Promise<void> {
    await this.db.query(`delete from channel_sendernames where channel = $1 and id = $2`, [
      channel,
      id,
    ]);
  }

  /** The names of a locked channel have changed: processes read them again, and what waits is routed anew if it depends on them. */
  async advance(channel: string): Promise<void> {
    const [row] = await this.db.query<{ isAsked: boolean }>(
      `with advanced as (
         update channels set sendernames_revision = sendernames_revision + 1 where name = $1 returning needs_registration)
       select needs_registration as "isAsked" from advanced`,
      [channel],
    );
    if (row?.isAsked) await this.db.query(`update route_version set version = version + 1`);
  }

  /** The next names of a channel in the order of their keys, with the time since which, in milliseconds. */
  names(channel: string, after: string, limit: number): Promise<{ key: string; since: number }[]> {
    return this.db.query<{ key: string; since: number }>(
      `select key, extract(epoch from since)::float8 * 1000 as since from channel_sendernames
        where channel = $1 and key > $2 order by key limit $3`,
      [channel, after, limit],
    );
  }

  /** The channels that have a name, and those that need it and take its types. */
  async channelsOf(
    key: string,
  ): Promise<(Omit<SendernameChannel, 'since'> & { since: Date | null })[]> {
    return this.db.query(
      `select c.name as "ChannelId", c.is_active as "isActive", c.needs_registration as "needsRegistration", n.since, n.note
         from channels c left join channel_sendernames n on n.channel = c.name and n.key = $1
        where c.removed_at is null and (n.id is not null or (c.needs_registration and case when $1 like 'voice:%' then 'voice' = any(c.types) else c.types <> '{voice}' end))
        order by n.since is null, c.priority desc, c.name`,
      [key],
    );
  }

  private ofChannel(channel: string): SelectQueryBuilder<ChannelSendername> {
    return this.db.manager
      .getRepository(ChannelSendername)
      .createQueryBuilder(this.alias)
      .where('n.channel = :channel', { channel });
  }

  /** Names of channels have no owner, so only the permission restricts access. */
  protected override rows(_scope: AccessScope): SelectQueryBuilder<ChannelSendername> {
    return this.db.manager
      .getRepository(ChannelSendername)
      .createQueryBuilder(this.alias)
      .where('true');
  }
}
