import type {
  GroupRef,
  OwnerRef,
  Route as Wire,
  RouteInput,
  RouteShare,
} from '@heliograph/contract';
import type { RouteChannel, RoutePlan, SendingType, TrafficKind } from '@heliograph/domain';
import { Column, CreateDateColumn, Entity, PrimaryColumn, UpdateDateColumn } from 'typeorm';

/** For which messages a route is, and their channels. Routes belong to the installation. */
@Entity('routes')
export class Route {
  @PrimaryColumn('uuid', { default: () => 'uuidv7()' }) id: string;
  @Column('text') title: string;
  @Column('boolean') isActive: boolean;
  @Column('integer') priority: number;
  @Column('text', { array: true }) types: SendingType[];
  @Column('text', { array: true }) countries: string[];
  @Column('text', { array: true }) operators: string[];
  @Column('text', { array: true }) senders: string[];
  @Column('uuid', { array: true, name: 'owner_ids' }) OwnerIds: string[];
  @Column('uuid', { array: true, name: 'group_ids' }) GroupIds: string[];
  @Column('text', { array: true }) kinds: TrafficKind[];
  @Column('jsonb') channels: RouteChannel[];
  @Column('boolean') isWeighted: boolean;
  @Column('integer', { nullable: true }) failoverAfter: number | null;
  @Column('boolean') shiftsShares: boolean;
  @Column('integer') lateAfter: RouteInput['lateAfter'];
  @CreateDateColumn({ type: 'timestamptz' }) createdAt: Date;
  @UpdateDateColumn({ type: 'timestamptz' }) updatedAt: Date;
}

/** Names of the accounts and groups of some routes. */
export interface RouteNames {
  owners: readonly OwnerRef[];
  groups: readonly GroupRef[];
}

export const presentRoute = (
  { createdAt, updatedAt, ...fields }: Route,
  { owners, groups }: RouteNames,
  shares: RouteShare[],
): Wire => ({
  ...fields,
  shares,
  Owners: owners.filter(({ id }) => fields.OwnerIds.includes(id)),
  Groups: groups.filter(({ id }) => fields.GroupIds.includes(id)),
  createdAt: createdAt.toISOString(),
  updatedAt: updatedAt.toISOString(),
});

/** The audited fields. */
export function auditedRoute({ id: _, createdAt, updatedAt, ...fields }: Route): RouteInput {
  return fields;
}

/** `shares` are empty of a route that does not shift them. */
export function planOfRoute({ id, ...row }: Route, shares: RouteShare[]): RoutePlan {
  const { channels, ...fields } = auditedRoute({ id, ...row });
  const byChannel = new Map(shares.map(({ ChannelId, share }) => [ChannelId, share]));
  const planned = channels.map((channel) => {
    const share = byChannel.get(channel.ChannelId);
    return share === undefined ? channel : { ...channel, share };
  });
  return { ...fields, id, channels: planned };
}
