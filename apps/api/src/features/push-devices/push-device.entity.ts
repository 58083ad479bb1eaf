import type { Level, PushDevice as Wire, PushKind, PushSubscription } from '@heliograph/contract';
import { Column, Entity, PrimaryColumn } from 'typeorm';
import { ownerRef, type WithOwner } from '../../core/auth/owners.ts';
import { timesOf } from '../../core/uuid.ts';

@Entity('push_devices')
export class PushDevice {
  @PrimaryColumn('uuid', { default: () => 'uuidv7()' }) id: string;
  @Column('uuid') OwnerId: string;
  @Column('text') phone: string;
  @Column('text') kind: PushKind;
  /** The registration token, or the endpoint of the subscription. Who knows it may write to the device, so no answer has it. */
  @Column('text') address: string;
  @Column('bytea') addressHash: Buffer;
  @Column('jsonb', { nullable: true }) keys: PushSubscription['keys'] | null;
  @Column('text', { nullable: true }) title: string | null;
  @Column('timestamptz', { default: () => 'now()' }) updatedAt: Date;
}

export function present(row: WithOwner<PushDevice>, level: Level): Wire {
  return {
    id: row.id,
    kind: row.kind,
    phone: row.phone,
    title: row.title,
    OwnerId: row.OwnerId,
    ...(level !== 'me' && row.Owner && { Owner: ownerRef(row.Owner) }),
    ...timesOf(row),
  };
}
