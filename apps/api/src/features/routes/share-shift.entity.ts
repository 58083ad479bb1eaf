import type { ShareShift as Wire } from '@heliograph/contract';
import type { ShareFigures, ShareReason } from '@heliograph/domain';
import { Column, Entity, JoinColumn, ManyToOne, PrimaryColumn } from 'typeorm';
import { uuidTime } from '../../core/uuid.ts';
import { Route } from './route.entity.ts';

/** The share of a channel in a weighted route has changed by itself. */
@Entity('share_shifts')
export class ShareShift {
  /** With the time of the change. */
  @PrimaryColumn('uuid', { default: () => 'uuidv7()' }) id: string;
  @Column('uuid', { name: 'route_id' }) RouteId: string;
  @ManyToOne(() => Route, { onDelete: 'CASCADE' })
  @JoinColumn({ name: 'route_id' })
  Route: Route;
  @Column('text', { name: 'channel' }) ChannelId: string;
  @Column('integer') before: number;
  @Column('integer') after: number;
  @Column('text') reason: ShareReason;
  @Column('jsonb', { nullable: true }) figures: ShareFigures | null;
}

export const presentShift = ({ RouteId: _, Route, ...fields }: ShareShift): Wire => ({
  ...fields,
  route: { id: Route.id, title: Route.title },
  createdAt: uuidTime(fields.id).toISOString(),
});
