import type { ChannelSendername as Wire } from '@heliograph/contract';
import { Column, CreateDateColumn, Entity, PrimaryColumn } from 'typeorm';

/** A sender name that is registered at the carrier of a channel. */
@Entity('channel_sendernames')
export class ChannelSendername {
  @PrimaryColumn('uuid', { default: () => 'uuidv7()' }) id: string;
  @Column('text', { name: 'channel' }) ChannelId: string;
  @Column('text') type: 'sms' | 'voice';
  @Column('text') name: string;
  /** As it is compared (`senderKey`). */
  @Column('text') key: string;
  @Column('timestamptz') since: Date;
  @Column('text', { nullable: true }) note: string | null;
  @CreateDateColumn({ type: 'timestamptz' }) createdAt: Date;
}

export const present = ({ key: _, since, createdAt, ...fields }: ChannelSendername): Wire => ({
  ...fields,
  since: since.toISOString(),
  createdAt: createdAt.toISOString(),
});
