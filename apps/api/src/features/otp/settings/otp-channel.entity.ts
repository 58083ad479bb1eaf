import type { Level, OtpChannel as Wire } from '@heliograph/contract';
import type { OtpChannelType } from '@heliograph/domain';
import { Column, CreateDateColumn, Entity, PrimaryColumn, UpdateDateColumn } from 'typeorm';
import { ownerRef, type WithOwner } from '../../../core/auth/owners.ts';

@Entity('otp_channels')
export class OtpChannel {
  @PrimaryColumn('uuid', { default: () => 'uuidv7()' }) id: string;
  @Column('uuid') OwnerId: string;
  @Column('text') name: string;
  @Column('text') channelType: OtpChannelType;
  @Column('jsonb') additionalSettings: Wire['additionalSettings'];
  @CreateDateColumn({ type: 'timestamptz' }) createdAt: Date;
  @UpdateDateColumn({ type: 'timestamptz' }) updatedAt: Date;
}

export function presentChannel(row: WithOwner<OtpChannel>, level: Level): Wire {
  return {
    id: row.id,
    name: row.name,
    channelType: row.channelType,
    additionalSettings: row.additionalSettings,
    ownerId: row.OwnerId,
    ...(level !== 'me' && row.Owner && { Owner: ownerRef(row.Owner) }),
    createdAt: row.createdAt.toISOString(),
    updatedAt: row.updatedAt.toISOString(),
  };
}
