import type { Level, WapiInstance as Wire } from '@heliograph/contract';
import { wapiRemovalAt, type WapiProblem, type WapiState } from '@heliograph/domain';
import { Column, CreateDateColumn, Entity, PrimaryColumn, UpdateDateColumn } from 'typeorm';
import { ownerRef, type WithOwner } from '../../core/auth/owners.ts';
import { timesOf } from '../../core/uuid.ts';

@Entity('wapi_instances')
export class WapiInstance {
  @PrimaryColumn('uuid', { default: () => 'uuidv7()' }) id: string;
  @Column('uuid') OwnerId: string;
  @Column('uuid') createdBy: string;
  @Column('text', { default: 'undefined' }) state: WapiState;
  @Column('text', { nullable: true }) phone: string | null;
  @Column('text', { nullable: true }) problem: WapiProblem | null;
  @Column('boolean', { default: true }) isPaid: boolean;
  @Column('boolean', { default: true }) isActive: boolean;
  @Column('boolean', { default: false }) isCanceled: boolean;
  @Column('timestamptz') anchor: Date;
  /** That of the account at the anchor. */
  @Column('text', { default: 'UTC' }) timeZone: string;
  @Column('timestamptz') expiredAt: Date;
  @Column('timestamptz', { nullable: true }) retryAt: Date | null;
  @Column('timestamptz', { nullable: true }) failedFor: Date | null;
  @Column('text', { nullable: true }) externalId: string | null;
  @Column('bytea', { nullable: true }) token: Buffer | null;
  @Column('boolean', { default: false }) isCreating: boolean;
  @Column('jsonb', { nullable: true }) qr: Wire['qr'];
  @Column('timestamptz', { nullable: true }) watchedUntil: Date | null;
  @Column('timestamptz', { default: () => 'now()' }) pollAt: Date;
  @Column('timestamptz', { nullable: true }) checkedAt: Date | null;
  @Column('timestamptz', { nullable: true }) sendAt: Date | null;
  @CreateDateColumn({ type: 'timestamptz' }) createdAt: Date;
  @UpdateDateColumn({ type: 'timestamptz' }) updatedAt: Date;
}

export const present = (row: WithOwner<WapiInstance>, level: Level): Wire => ({
  id: row.id,
  phone: row.phone,
  state: row.state,
  isPaid: row.isPaid,
  isActive: row.isActive,
  isCanceled: row.isCanceled,
  expiredAt: row.expiredAt.toISOString(),
  removalAt: row.isPaid ? null : wapiRemovalAt(row.expiredAt).toISOString(),
  problem: row.problem,
  qr: row.qr,
  OwnerId: row.OwnerId,
  ...(level !== 'me' && row.Owner && { Owner: ownerRef(row.Owner) }),
  ...timesOf(row),
});

/** The name of a subscription in notifications. */
export const nameOf = ({ id, phone }: Pick<WapiInstance, 'id' | 'phone'>): string =>
  phone ?? `WAPI ${id.slice(-8)}`;
