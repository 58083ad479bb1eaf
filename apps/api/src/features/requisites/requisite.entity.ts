import type { Level, Requisite as Wire } from '@heliograph/contract';
import { Column, CreateDateColumn, Entity, PrimaryColumn, UpdateDateColumn } from 'typeorm';
import { ownerRef, type WithOwner } from '../../core/auth/owners.ts';

@Entity('requisites')
export class Requisite {
  @PrimaryColumn('uuid', { default: () => 'uuidv7()' }) id: string;
  @Column('uuid') OwnerId: string;
  @Column('text') title: string;
  @Column('text', { default: 'business' }) type: Wire['type'];
  @Column('jsonb') contact: Wire['contact'];
  @Column('jsonb') signer: Wire['signer'];
  @Column('jsonb') data: Wire['data'];
  @Column('uuid', { array: true, default: () => `'{}'` }) attachments: string[];
  @Column('boolean', { default: true }) isActive: boolean;
  @CreateDateColumn({ type: 'timestamptz' }) createdAt: Date;
  @UpdateDateColumn({ type: 'timestamptz' }) updatedAt: Date;
}

export function present(row: WithOwner<Requisite>, level: Level): Wire {
  return {
    id: row.id,
    title: row.title,
    type: row.type,
    contact: row.contact,
    signer: row.signer,
    data: row.data,
    attachments: row.attachments,
    isActive: row.isActive,
    OwnerId: row.OwnerId,
    ...(level !== 'me' && row.Owner && { Owner: ownerRef(row.Owner) }),
    createdAt: row.createdAt.toISOString(),
    updatedAt: row.updatedAt.toISOString(),
  };
}
