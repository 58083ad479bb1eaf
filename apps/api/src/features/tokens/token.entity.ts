import type { Level, Permission, Token as Wire } from '@heliograph/contract';
import { Column, CreateDateColumn, Entity, PrimaryColumn, UpdateDateColumn } from 'typeorm';
import { ownerRef, type WithOwner } from '../../core/auth/owners.ts';

@Entity('tokens')
export class Token {
  @PrimaryColumn('uuid', { default: () => 'uuidv7()' }) id: string;
  @Column('uuid') OwnerId: string;
  @Column('uuid') UserId: string;
  @Column('text') description: string;
  @Column('text') prefix: string;
  @Column('bytea', { select: false }) hash: Buffer;
  @Column('text', { nullable: true }) previousPrefix: string | null;
  @Column('bytea', { nullable: true, select: false }) previousHash: Buffer | null;
  @Column('text', { nullable: true, select: false }) bindHash: string | null;
  @Column('text', { nullable: true, select: false }) previousBindHash: string | null;
  @Column('timestamptz', { nullable: true }) previousUntil: Date | null;
  @Column('timestamptz', { nullable: true }) rotatedAt: Date | null;
  @Column('text', { array: true, default: () => `'{}'` }) ipWhitelist: string[];
  @Column('text', { array: true, nullable: true }) permissions: Permission[] | null;
  @Column('boolean', { default: false }) isTest: boolean;
  @Column('timestamptz', { nullable: true }) expiredAt: Date | null;
  @Column('timestamptz', { nullable: true }) expiringNotifiedAt: Date | null;
  @Column('timestamptz', { nullable: true }) expiredNotifiedAt: Date | null;
  @Column('timestamptz', { nullable: true }) lastUsedAt: Date | null;
  @Column('text', { nullable: true }) lastUsedIp: string | null;
  @CreateDateColumn({ type: 'timestamptz' }) createdAt: Date;
  @UpdateDateColumn({ type: 'timestamptz' }) updatedAt: Date;
}

const time = (at: Date | null) => at?.toISOString() ?? null;

export function present(row: WithOwner<Token>, level: Level): Wire {
  const { previousPrefix, previousUntil } = row;
  return {
    id: row.id,
    description: row.description,
    prefix: row.prefix,
    previous: previousPrefix
      ? { prefix: previousPrefix, validUntil: previousUntil!.toISOString() }
      : null,
    ipWhitelist: row.ipWhitelist,
    permissions: row.permissions,
    isTest: row.isTest,
    expiredAt: time(row.expiredAt),
    lastUsedAt: time(row.lastUsedAt),
    lastUsedIp: row.lastUsedIp,
    rotatedAt: time(row.rotatedAt),
    UserId: row.UserId,
    OwnerId: row.OwnerId,
    ...(level !== 'me' && row.Owner && { Owner: ownerRef(row.Owner) }),
    createdAt: row.createdAt.toISOString(),
    updatedAt: row.updatedAt.toISOString(),
  };
}
