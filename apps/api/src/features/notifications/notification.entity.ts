import type { NotificationType } from '@heliograph/domain';
import { Column, Entity, PrimaryColumn, UpdateDateColumn } from 'typeorm';
import type { NotificationRow } from '../../core/notifications.ts';

/** A notification of a user. Its time is the time in its id. */
@Entity('notifications')
export class Notification implements NotificationRow {
  @PrimaryColumn('uuid', { default: () => 'uuidv7()' }) id: string;
  @Column('uuid') UserId: string;
  @Column('uuid') OwnerId: string;
  @Column('text') type: NotificationType;
  @Column('text', { default: 'web' }) channel: string;
  @Column('jsonb', { default: {} }) data: Record<string, unknown>;
  @Column('text', { nullable: true }) error: string | null;
  @Column('boolean', { default: false }) isRead: boolean;
  @Column('timestamptz', { nullable: true }) sentAt: Date | null;
  @Column('timestamptz', { nullable: true }) deliveredAt: Date | null;
  @UpdateDateColumn({ type: 'timestamptz' }) updatedAt: Date;
}
