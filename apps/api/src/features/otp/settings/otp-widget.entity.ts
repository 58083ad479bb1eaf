import type { Level, OtpWidget as Wire } from '@heliograph/contract';
import { Column, CreateDateColumn, Entity, PrimaryColumn, UpdateDateColumn } from 'typeorm';
import { ownerRef, type WithOwner } from '../../../core/auth/owners.ts';

@Entity('otp_widgets')
export class OtpWidget {
  @PrimaryColumn('uuid', { default: () => 'uuidv7()' }) id: string;
  @Column('uuid') OwnerId: string;
  /** The API token in whose name it acts; null: the account itself. */
  @Column('uuid', { nullable: true }) TokenId: string | null;
  @Column('text') name: string;
  @Column('jsonb', { default: {} }) styles: Wire['styles'];
  @Column('boolean', { default: true }) isActive: boolean;
  @Column('boolean', { default: false }) isBlocked: boolean;
  @Column('boolean') captchaIsRequired: boolean;
  @Column('text', { default: 'altcha' }) captchaProvider: Wire['captchaProvider'];
  @Column('integer', { nullable: true }) captchaFirstFreeRequestsPerIp: number | null;
  @Column('text', { array: true }) ipWhitelist: string[];
  @Column('text', { array: true, nullable: true }) countries: string[] | null;
  @CreateDateColumn({ type: 'timestamptz' }) createdAt: Date;
  @UpdateDateColumn({ type: 'timestamptz' }) updatedAt: Date;
}

export type WidgetChannel = Wire['otpWidgetChannelSettings'][number];

export function presentWidget(
  row: WithOwner<OtpWidget>,
  level: Level,
  otpWidgetChannelSettings: WidgetChannel[],
): Wire {
  return {
    id: row.id,
    name: row.name,
    styles: row.styles,
    isActive: row.isActive,
    isBlocked: row.isBlocked,
    captchaIsRequired: row.captchaIsRequired,
    captchaProvider: row.captchaProvider,
    captchaFirstFreeRequestsPerIp: row.captchaFirstFreeRequestsPerIp,
    ipWhitelist: row.ipWhitelist,
    countries: row.countries,
    otpWidgetChannelSettings,
    ownerId: row.OwnerId,
    ...(level !== 'me' && row.Owner && { Owner: ownerRef(row.Owner) }),
    createdAt: row.createdAt.toISOString(),
    updatedAt: row.updatedAt.toISOString(),
  };
}
