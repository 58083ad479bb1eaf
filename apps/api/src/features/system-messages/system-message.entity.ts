import type { SystemAudience, SystemMessage as Wire } from '@heliograph/contract';
import {
  Column,
  CreateDateColumn,
  Entity,
  PrimaryColumn,
  UpdateDateColumn,
  VirtualColumn,
} from 'typeorm';
import { ownerRef, type WithOwner } from '../../core/auth/owners.ts';

/** What a manager tells accounts. The notifications are written by the broadcast with the same id. */
@Entity('system_messages')
export class SystemMessage {
  @PrimaryColumn('uuid', { default: () => 'uuidv7()' }) id: string;
  @Column('uuid') OwnerId: string;
  @Column('uuid') UserId: string;
  @Column('text') type: Wire['type'];
  @Column('text') title: string;
  @Column('text') text: string;
  @Column('text', { nullable: true }) operator: string | null;
  @Column('jsonb') audience: SystemAudience;
  @CreateDateColumn({ type: 'timestamptz' }) createdAt: Date;
  @UpdateDateColumn({ type: 'timestamptz' }) updatedAt: Date;
  @VirtualColumn({ type: 'integer', query: (m) => ofBroadcast('b.notified', m) }) notified: number;
  @VirtualColumn({ type: 'boolean', query: (m) => ofBroadcast('b.finished_at is not null', m) })
  isFinished: boolean;
}

const ofBroadcast = (what: string, message: string) =>
  `(select ${what} from notification_broadcasts b where b.id = ${message}.id)`;

export function present(row: WithOwner<SystemMessage>): Wire {
  const { audience } = row;
  return {
    id: row.id,
    type: row.type,
    title: row.title,
    text: row.text,
    operator: row.operator,
    audience: {
      to: audience.to,
      ...(audience.to === 'level' && { level: audience.level }),
      ...(audience.to === 'accounts' && { count: audience.accounts.length }),
    },
    notified: row.notified,
    state: row.isFinished ? 'completed' : 'running',
    OwnerId: row.OwnerId,
    ...(row.Owner && { Owner: ownerRef(row.Owner) }),
    createdAt: row.createdAt.toISOString(),
    updatedAt: row.updatedAt.toISOString(),
  };
}
