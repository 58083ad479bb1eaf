import type { Route } from '@heliograph/contract';
import { Column, Entity, VirtualColumn } from 'typeorm';
import { AccountGroup, countOf } from './account-group.entity.ts';

@Entity('routing_groups')
export class RoutingGroup extends AccountGroup {
  @Column('jsonb') routes: Route[];
  @VirtualColumn({ type: 'integer', query: countOf('users_routing_groups') })
  declare accounts?: number;
}
