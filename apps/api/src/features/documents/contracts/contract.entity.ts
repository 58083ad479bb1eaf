import type { Contract as Wire, Level } from '@heliograph/contract';
import { Column, CreateDateColumn, Entity, PrimaryColumn, UpdateDateColumn } from 'typeorm';
import { ownerRef, type WithOwner } from '../../../core/auth/owners.ts';

@Entity('contracts')
export class Contract {
  @PrimaryColumn('uuid', { default: () => 'uuidv7()' }) id: string;
  @Column('uuid') OwnerId: string;
  @Column('text') title: string;
  @Column('text', { array: true, default: () => `'{}'` }) tags: string[];
  @Column('uuid') RequisiteId: string;
  @Column('uuid') CompanyId: string;
  @Column('uuid') FileId: string;
  @CreateDateColumn({ type: 'timestamptz' }) createdAt: Date;
  @UpdateDateColumn({ type: 'timestamptz' }) updatedAt: Date;
}

export function present(row: WithOwner<Contract>, level: Level): Wire {
  return {
    id: row.id,
    title: row.title,
    tags: row.tags,
    RequisiteId: row.RequisiteId,
    CompanyId: row.CompanyId,
    FileId: row.FileId,
    OwnerId: row.OwnerId,
    ...(level !== 'me' && row.Owner && { Owner: ownerRef(row.Owner) }),
    createdAt: row.createdAt.toISOString(),
    updatedAt: row.updatedAt.toISOString(),
  };
}
