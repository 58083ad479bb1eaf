import { Injectable } from '@nestjs/common';
import {
  MAX_ACCOUNT_NOTES,
  type accountNotes,
  type ConversationUser,
  type Page,
} from '@heliograph/contract';
import type { Actor } from '../../core/auth/actor.ts';
import { userNameSql } from '../../core/auth/owners.ts';
import { Db } from '../../core/db/db.ts';
import { findIds, inOrder, type Bind } from '../../core/db/find-page.ts';
import type { In } from '../../core/http/endpoint.ts';
import type { Quota } from '../../core/quotas.ts';

type Query = In<typeof accountNotes.find>['query'];
type Reader = Pick<Actor, 'scope' | 'OwnerId'>;

export interface NoteRow {
  id: string;
  text: string;
  Author: ConversationUser;
  createdAt: Date;
  changedAt: Date | null;
}

/** About one account. */
export const NOTES_QUOTA: Quota = {
  name: 'accountNotes',
  limit: () => MAX_ACCOUNT_NOTES,
  used: `select count(*)::float8 as used from account_notes where owner_id = $1`,
};

/** A reseller sees what was written in its own account, not what the operator writes about its customers. */
const readableSql = ({ scope, OwnerId }: Reader, bind: Bind): string =>
  scope.kind === 'reseller' ? `n.author_owner_id = ${bind(OwnerId)}` : 'true';

/** What is written about accounts. Who reaches an account is decided before. */
@Injectable()
export class AccountNotesStore {
  constructor(private readonly db: Db) {}

  async find(reader: Reader, account: string, query: Query): Promise<Page<NoteRow>> {
    const { page, ...numbers } = await findIds(
      this.db,
      query,
      (bind, take) =>
        `(select n.id from account_notes n where n.owner_id = ${bind(account)} and ${readableSql(reader, bind)}
           order by n.id ${query.order[0]!.direction} limit ${take})`,
    );
    return { data: inOrder(page, await this.byIds(reader, account, page)), ...numbers };
  }

  /** Locked until the transaction ends; null if the reader sees no such note. */
  async lock(reader: Reader, account: string, id: string): Promise<NoteRow | null> {
    await this.db.query(
      `select 1 from account_notes where id = $1 and owner_id = $2 for no key update`,
      [id, account],
    );
    const [row] = await this.byIds(reader, account, [id]);
    return row ?? null;
  }

  async create(
    account: string,
    author: { id: string; OwnerId: string },
    text: string,
  ): Promise<string> {
    const [row] = await this.db.query<{ id: string }>(
      `insert into account_notes (owner_id, author_id, author_owner_id, text) values ($1, $2, $3, $4) returning id`,
      [account, author.id, author.OwnerId, text],
    );
    return row!.id;
  }

  async update(id: string, text: string, at: Date): Promise<void> {
    await this.db.execute(`update account_notes set text = $2, changed_at = $3 where id = $1`, [
      id,
      text,
      at,
    ]);
  }

  async remove(id: string): Promise<void> {
    await this.db.execute(`delete from account_notes where id = $1`, [id]);
  }

  private byIds(reader: Reader, account: string, ids: readonly string[]): Promise<NoteRow[]> {
    const values: unknown[] = [account, ids];
    const readable = readableSql(reader, (value) => `$${values.push(value)}`);
    return this.db.query(
      `select n.id, n.text, jsonb_build_object('id', u.id, 'name', ${userNameSql('u')}) as "Author",
              uuid_extract_timestamp(n.id) as "createdAt", n.changed_at as "changedAt"
         from account_notes n join users u on u.id = n.author_id
        where n.owner_id = $1 and n.id = any($2) and ${readable}`,
      values,
    );
  }
}
