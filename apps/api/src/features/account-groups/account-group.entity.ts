import type { MessageRules, GroupRoute } from '@heliograph/contract';
import {
  Column,
  CreateDateColumn,
  Entity,
  PrimaryColumn,
  UpdateDateColumn,
  VirtualColumn,
} from 'typeorm';

const countOf = (members: string) => (group: string) =>
  `(select count(*)::int from ${members} m where m.group_id = ${group}.id)`;

/** Common columns of groups. Groups belong to the installation; accounts are assigned to them. */
export abstract class AccountGroup {
  @PrimaryColumn('uuid', { default: () => 'uuidv7()' }) id: string;
  @Column('text') title: string;
  /** Number of members. */
  accounts?: number;
  @CreateDateColumn({ type: 'timestamptz' }) createdAt: Date;
  @UpdateDateColumn({ type: 'timestamptz' }) updatedAt: Date;
}

@Entity('routing_groups')
export class RoutingGroup extends AccountGroup {
  @Column('jsonb') routes: GroupRoute[];
  @VirtualColumn({ type: 'integer', query: countOf('users_routing_groups') })
  declare accounts?: number;
}

@Entity('message_rule_groups')
export class MessageRuleGroup extends AccountGroup {
  @Column('jsonb') rules: MessageRules;
  @VirtualColumn({ type: 'integer', query: countOf('users_message_rule_groups') })
  declare accounts?: number;
}

/** Presents the common fields. */
export const presentGroup = (row: AccountGroup) => ({
  id: row.id,
  title: row.title,
  accounts: row.accounts ?? 0,
  createdAt: row.createdAt.toISOString(),
  updatedAt: row.updatedAt.toISOString(),
});
