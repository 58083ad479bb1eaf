import type { Level, Suppression as Wire } from '@heliograph/contract';
import { typeOf, type SuppressionReason } from '@heliograph/domain';
import { Column, Entity, PrimaryColumn } from 'typeorm';
import { ownerRef, type WithOwner } from '../../core/auth/owners.ts';
import { uuidTime } from '../../core/uuid.ts';

/** The stored type of an opt-out from all types. */
export const ALL_TYPES = 0;

@Entity('suppressions')
export class Suppression {
  @PrimaryColumn('uuid', { default: () => 'uuidv7()' }) id: string;
  @Column('uuid') OwnerId: string;
  /** A phone number or an e-mail address. */
  @Column('text') address: string;
  @Column('smallint', { default: ALL_TYPES }) type: number;
  @Column('text') reason: SuppressionReason;
  @Column('text', { nullable: true }) note: string | null;
  @Column('uuid', { nullable: true }) SendingId: string | null;
}

export function present(row: WithOwner<Suppression>, level: Level): Wire {
  return {
    id: row.id,
    address: row.address,
    type: row.type === ALL_TYPES ? null : typeOf(row.type),
    reason: row.reason,
    note: row.note,
    SendingId: row.SendingId,
    OwnerId: row.OwnerId,
    ...(level !== 'me' && row.Owner && { Owner: ownerRef(row.Owner) }),
    createdAt: uuidTime(row.id).toISOString(),
  };
}
