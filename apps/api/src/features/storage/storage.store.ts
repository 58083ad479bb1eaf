import { Injectable } from '@nestjs/common';
import type { Page, storage } from '@heliograph/contract';
import { BATCH_STAGES, PRESET_RULES } from '@heliograph/domain';
import type { SelectQueryBuilder } from 'typeorm';
import { systemScope, type AccessScope } from '../../core/auth/actor.ts';
import { Clock } from '../../core/clock.ts';
import { Db } from '../../core/db/db.ts';
import { contains, equals, findPage, type ListSql } from '../../core/db/find-page.ts';
import { Store } from '../../core/db/store.ts';
import type { In } from '../../core/http/endpoint.ts';
import { sumOf, type Quota } from '../../core/quotas.ts';
import { uuidFloor } from '../../core/uuid.ts';
import { StoredFile, type LockedFile } from './stored-file.entity.ts';

type Query = In<typeof storage.find>['query'];

/** SQL: whether the payload of a document, or of its fallbacks, contains the file. */
const references = (document: string) =>
  `jsonb_path_exists(${document}, '$.**.payload.* ? (@ == $id)', jsonb_build_object('id', f.id))`;

/** SQL: whether a task `t` or a template `p` uses the file `f`. */
const taskUses = `t.owner_id = f.owner_id and t.state in ('scheduled', 'running', 'paused')
  and ${references(`t.data->'sending'`)}`;
const templateUses = `p.owner_id = f.owner_id
  and ${references(`jsonb_build_array(jsonb_build_object('payload', p.payload), p.fallbacks)`)}`;

/** Tasks and templates that a refusal names. */
const MAX_NAMED_USERS = 5;
export interface FileUsers {
  tasks: { id: string; title: string }[];
  templates: { id: string; title: string }[];
  contracts: { id: string; title: string }[];
}

/** Bytes of files. */
export const STORAGE_QUOTA: Quota = {
  name: 'storage',
  limit: (config) => config.QUOTA_STORAGE_MB * 1024 * 1024,
  used: sumOf('size', 'files'),
};

@Injectable()
export class StorageStore extends Store<StoredFile, Query> {
  protected readonly list: ListSql<Query> = {
    order: { createdAt: 'f.createdAt', size: 'f.size', title: 'f.title' },
    filter: {
      // `image/*` is every image.
      type: (types, bind) =>
        `(f.type = any(${bind(types)}) or split_part(f.type, '/', 1) || '/*' = any(${bind(types)}))`,
      preset: (preset, bind) => {
        const { types } = PRESET_RULES[preset];
        return types ? `f.type = any(${bind(types)})` : 'true';
      },
      id: equals('f.id'),
      OwnerId: equals('f.owner_id'),
    },
    range: { createdAt: 'f.created_at' },
    search: contains('f.title', 'f.filename'),
  };

  constructor(
    db: Db,
    private readonly clock: Clock,
  ) {
    super(db, StoredFile, 'f');
  }

  /** Of the files that were made of rows, those whose permission is among these; uploads where they are read. */
  findReadable(
    scope: AccessScope,
    query: Query,
    permissions: string[],
    readsUploads: boolean,
  ): Promise<Page<StoredFile>> {
    const readable = this.rows(scope).andWhere(
      '(f.permission = any(:permissions) or (f.permission is null and :readsUploads))',
      { permissions, readsUploads },
    );
    return findPage(this.db, readable, this.list, query);
  }

  byPublicKey(publicKey: string): Promise<StoredFile | null> {
    return this.rows(systemScope).andWhere('f.public_key = :publicKey', { publicKey }).getOne();
  }

  /** Deletes expired rows and returns the names of their contents. */
  async dropExpired(limit: number): Promise<string[]> {
    const rows = await this.db.query<{ id: string }>(
      `delete from files where id in (
         select id from files where expired_at <= $1 limit $2 for update skip locked)
       returning coalesce(contents_id, id) as id`,
      [this.clock.now(), limit],
    );
    return rows.map((r) => r.id);
  }

  /** Locks the files first, so that a concurrent `claim` either is seen or waits and fails. */
  async dropUnneeded(
    after: string,
    before: Date,
    limit: number,
  ): Promise<{ ids: string[]; last: string | null }> {
    const looked = await this.db.query<{ id: string }>(
      `select id from files where id > $1 and id < $2 order by id limit $3 for update skip locked`,
      [after, uuidFloor(before), limit],
    );
    const locked = await this.withLocks(
      await this.byIds(
        systemScope,
        looked.map(({ id }) => id),
      ),
    );
    const rows = await this.db.query<{ id: string }>(
      `delete from files where id = any($1) returning coalesce(contents_id, id) as id`,
      [locked.filter(({ locks }) => locks === 0).map(({ id }) => id)],
    );
    return {
      ids: rows.map(({ id }) => id),
      last: looked.length === limit ? looked.at(-1)!.id : null,
    };
  }

  /** Removes the expiry of files and returns those that had one. */
  stopExpiry(ids: string[]): Promise<{ id: string; OwnerId: string }[]> {
    return this.db.query(
      `update files set expired_at = null, updated_at = now() where id = any($1) and expired_at is not null
       returning id, owner_id as "OwnerId"`,
      [ids],
    );
  }

  /** Locks existing files against deletion until the transaction ends. */
  hold(ids: string[]): Promise<{ id: string }[]> {
    return this.db.query(`select id from files where id = any($1) order by id for key share`, [
      ids,
    ]);
  }

  /** Names of contents without a row. */
  async unknown(ids: string[]): Promise<string[]> {
    const rows = await this.db.query<{ id: string }>(
      `select a.id from unnest($1::uuid[]) a (id)
        where not exists (select 1 from files f where f.id = a.id and f.contents_id is null)
          and not exists (select 1 from files f where f.contents_id = a.id)`,
      [ids],
    );
    return rows.map((r) => r.id);
  }

  /** What a locked file is used by: the first unfinished tasks and templates. The rest of its locks are messages. */
  async users(file: StoredFile): Promise<FileUsers> {
    const [row] = await this.db.query<FileUsers>(
      `select (select coalesce(jsonb_agg(jsonb_build_object('id', t.id, 'title', t.title)), '[]')
                 from (select t.id, t.title from tasks t where ${taskUses} order by t.id limit $2) t) as tasks,
              (select coalesce(jsonb_agg(jsonb_build_object('id', p.id, 'title', p.title)), '[]')
                 from (select p.id, p.title from templates p where ${templateUses} order by p.id limit $2) p) as templates,
              (select coalesce(jsonb_agg(jsonb_build_object('id', c.id, 'title', c.title)), '[]')
                 from contracts c where c.file_id = f.id) as contracts
         from files f where f.id = $1`,
      [file.id, MAX_NAMED_USERS],
    );
    return row!;
  }

  /**
   * Adds the number of references: templates, contracts, unfinished tasks, unfinished chains of single messages, and single messages that are not
   * submitted. Submitted messages no longer need the file.
   */
  async withLocks(files: StoredFile[]): Promise<LockedFile[]> {
    if (!files.length) return [];
    const rows = await this.db.query<{ id: string; locks: number }>(
      `select f.id, (
         (select count(*) from tasks t where ${taskUses}) +
         (select count(*) from templates p where ${templateUses}) +
         (select count(*) from contracts c where c.file_id = f.id) +
         (select count(*) from batches b where b.owner_id = f.owner_id and b.closed_at is null and b.plan is not null
             and ${references('b.plan')}) +
         (select count(*) from (select * from batches where stage = ${BATCH_STAGES.pending} union all
               select * from batches where stage in (${BATCH_STAGES.leased}, ${BATCH_STAGES.submitting})) b,
                 lateral (select s.data from sendings s where s.id between b.first_id and b.last_id and s.batch_id = b.id
                             and s.owner_id = f.owner_id offset 0) s
           where b.task_id is null and b.plan is null and (b.owner_id is null or b.owner_id = f.owner_id) and ${references('s.data')})
       )::int as locks from files f where f.id = any($1)`,
      [files.map((file) => file.id)],
    );
    const locks = new Map(rows.map((row) => [row.id, row.locks]));
    return files.map((file) => Object.assign(file, { locks: locks.get(file.id) ?? 0 }));
  }

  /** Expired files are hidden even before the sweep deletes them. */
  protected override rows(scope: AccessScope): SelectQueryBuilder<StoredFile> {
    return super
      .rows(scope)
      .andWhere('(f.expired_at is null or f.expired_at > :now)', { now: this.clock.now() });
  }
}
