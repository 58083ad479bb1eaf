import type { MessageRules } from '@heliograph/contract';
import { Column, Entity, VirtualColumn } from 'typeorm';
import { AccountGroup, countOf } from './account-group.entity.ts';

@Entity('message_rule_groups')
export class MessageRuleGroup extends AccountGroup {
  @Column('jsonb') rules: MessageRules;
  @VirtualColumn({ type: 'integer', query: countOf('users_message_rule_groups') })
  declare accounts?: number;
}
