import { Injectable } from '@nestjs/common';
import type { contracts } from '@heliograph/contract';
import { ownScope } from '../../../core/auth/actor.ts';
import { Db } from '../../../core/db/db.ts';
import { contains, equals, type ListSql } from '../../../core/db/find-page.ts';
import { Store } from '../../../core/db/store.ts';
import type { In } from '../../../core/http/endpoint.ts';
import { Contract } from './contract.entity.ts';

type Query = In<typeof contracts.find>['query'];
export type Sides = Pick<Contract, 'OwnerId' | 'RequisiteId' | 'CompanyId'>;

@Injectable()
export class ContractsStore extends Store<Contract, Query> {
  protected readonly list: ListSql<Query> = {
    order: { createdAt: 'c.createdAt', updatedAt: 'c.updatedAt', title: 'c.title' },
    filter: {
      id: equals('c.id'),
      RequisiteId: equals('c.requisite_id'),
      CompanyId: equals('c.company_id'),
      OwnerId: equals('c.owner_id'),
    },
    range: { createdAt: 'c.created_at' },
    search: contains('c.title', `array_to_string(c.tags, ' ')`),
  };

  constructor(db: Db) {
    super(db, Contract, 'c');
  }

  /** Locks the contract of two sides until the transaction ends. */
  lockOf({ OwnerId, RequisiteId, CompanyId }: Sides): Promise<Contract | null> {
    return this.rows(ownScope(OwnerId))
      .andWhere('c.requisite_id = :RequisiteId and c.company_id = :CompanyId', {
        RequisiteId,
        CompanyId,
      })
      .setLock('pessimistic_write', undefined, ['c'])
      .getOne();
  }

  /** Held until the transaction ends: of concurrent calls for the same sides, one creates the contract. */
  async serialize({ OwnerId, RequisiteId, CompanyId }: Sides): Promise<void> {
    await this.db.query(`select pg_advisory_xact_lock(hashtextextended($1, 0))`, [
      `contract ${OwnerId} ${RequisiteId} ${CompanyId}`,
    ]);
  }
}
