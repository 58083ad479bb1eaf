import type { ListQuery, Page } from '@heliograph/contract';
import type { DeepPartial, EntityTarget, SelectQueryBuilder } from 'typeorm';
import { scopeSql, type AccessScope } from '../auth/actor.ts';
import { notFound } from '../errors.ts';
import type { Db } from './db.ts';
import { binder, findPage, type ListSql } from './find-page.ts';

export interface Row {
  id: string;
}

/**
 * The base of the stores. The access scope is the first parameter of every method; there is no unscoped overload.
 * A resource that differs writes its own SQL in its store.
 */
export abstract class Store<E extends Row, Q extends ListQuery> {
  /** The SQL of what the contract's list declares. */
  protected abstract readonly list: ListSql<Q>;

  constructor(
    protected readonly db: Db,
    private readonly entity: EntityTarget<E>,
    protected readonly alias: string,
    /** The column with the owner's id. */
    private readonly owner = `${alias}.owner_id`,
  ) {}

  /** `country` is the numbering plan of phone numbers in the query without a calling code. */
  find(scope: AccessScope, query: Q, country?: string): Promise<Page<E>> {
    return findPage(this.db, this.rows(scope), this.list, query, country);
  }

  async get(scope: AccessScope, id: string): Promise<E> {
    const row = await this.one(scope, id).getOne();
    if (!row) throw notFound();
    return row;
  }

  /** Locks the row until the transaction ends. */
  async lock(scope: AccessScope, id: string): Promise<E> {
    const row = await this.one(scope, id)
      .setLock('pessimistic_write', undefined, [this.alias])
      .getOne();
    if (!row) throw notFound();
    return row;
  }

  /** The rows of `ids` within the scope, in no particular order. */
  byIds(scope: AccessScope, ids: string[]): Promise<E[]> {
    return this.rows(scope).andWhere(`${this.alias}.id = any(:ids)`, { ids }).getMany();
  }

  create(values: DeepPartial<E>): Promise<E> {
    const repository = this.db.manager.getRepository(this.entity);
    return repository.save(repository.create(values));
  }

  /** Absent fields stay, null clears. Concurrent updates of a row are serialised. */
  update(scope: AccessScope, id: string, changes: DeepPartial<E>): Promise<E> {
    return this.db.transaction(async () => {
      const row = await this.lock(scope, id);
      const repository = this.db.manager.getRepository(this.entity);
      return repository.save(repository.merge(row, changes));
    });
  }

  async remove(scope: AccessScope, id: string): Promise<E> {
    const row = await this.get(scope, id);
    await this.db.manager.getRepository(this.entity).delete(id);
    return row;
  }

  /** Overridden by stores whose lists omit columns. */
  protected one(scope: AccessScope, id: string): SelectQueryBuilder<E> {
    return this.rows(scope).andWhere(`${this.alias}.id = :id`, { id });
  }

  protected rows(scope: AccessScope): SelectQueryBuilder<E> {
    const rows = this.db.manager.getRepository(this.entity).createQueryBuilder(this.alias);
    return rows.where(scopeSql(scope, this.owner, binder(rows as never)));
  }
}
