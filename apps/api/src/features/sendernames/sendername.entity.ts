import type { Level, Moderation, Sendername as Wire } from '@heliograph/contract';
import { Column, CreateDateColumn, Entity, PrimaryColumn, UpdateDateColumn } from 'typeorm';
import { ownerRef, type WithOwner } from '../../core/auth/owners.ts';

@Entity('sendernames')
export class Sendername {
  @PrimaryColumn('uuid', { default: () => 'uuidv7()' }) id: string;
  @Column('uuid') OwnerId: string;
  @Column('text') name: string;
  @Column('text') type: 'sms' | 'voice';
  @Column('text', { default: 'pending' }) moderation: Moderation;
  @Column('boolean', { default: true }) isActive: boolean;
  @Column('text') comment: string;
  @Column('text', { nullable: true }) adminComment: string | null;
  @Column('text', { nullable: true }) resellerComment: string | null;
  @Column('text', { nullable: true }) adminPrivateComment: string | null;
  @Column('text', { nullable: true }) resellerPrivateComment: string | null;
  @CreateDateColumn({ type: 'timestamptz' }) createdAt: Date;
  @UpdateDateColumn({ type: 'timestamptz' }) updatedAt: Date;
}

/** Private comments of resellers are hidden from customers, those of managers also from resellers. */
export function present(row: WithOwner<Sendername>, level: Level): Wire {
  const { comment, adminComment, resellerComment, adminPrivateComment, resellerPrivateComment } =
    row;
  return {
    id: row.id,
    name: row.name,
    type: row.type,
    moderation: row.moderation,
    meta: {
      comment,
      adminComment,
      resellerComment,
      ...(level !== 'me' && { resellerPrivateComment }),
      ...(level === 'manager' && { adminPrivateComment }),
    },
    isActive: row.isActive,
    OwnerId: row.OwnerId,
    ...(level !== 'me' && row.Owner && { Owner: ownerRef(row.Owner) }),
    createdAt: row.createdAt.toISOString(),
    updatedAt: row.updatedAt.toISOString(),
  };
}
