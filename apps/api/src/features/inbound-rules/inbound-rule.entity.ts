import type { InboundRule as Wire, Level } from '@heliograph/contract';
import type { InboundAction, InboundHold, InboundMode, SendingType } from '@heliograph/domain';
import { Column, CreateDateColumn, Entity, PrimaryColumn, UpdateDateColumn } from 'typeorm';
import { ownerRef, type WithOwner } from '../../core/auth/owners.ts';

@Entity('inbound_rules')
export class InboundRule {
  @PrimaryColumn('uuid', { default: () => 'uuidv7()' }) id: string;
  @Column('uuid') OwnerId: string;
  /** The API token in whose name it acts; null: the account itself. */
  @Column('uuid', { nullable: true }) TokenId: string | null;
  @Column('integer') position: number;
  @Column('text') title: string;
  @Column('boolean') isActive: boolean;
  @Column('boolean') isContinued: boolean;
  @Column('text', { array: true }) types: SendingType[];
  @Column('text', { nullable: true }) sender: string | null;
  @Column('text') mode: InboundMode;
  @Column('text', { array: true }) keywords: string[];
  @Column('text', { array: true }) actions: InboundAction[];
  /** Null, too, when it was removed. */
  @Column('uuid', { nullable: true }) WebhookId: string | null;
  @Column('text', { nullable: true }) replyText: string | null;
  @Column('integer') replyMinutes: number;
  /** Null, too, when it was removed. */
  @Column('uuid', { nullable: true }) ListId: string | null;
  @Column('text') listChange: Wire['listChange'];
  @Column('integer', { default: 0 }) matched: number;
  @Column('timestamptz', { nullable: true }) matchedAt: Date | null;
  @Column('integer', { default: 0 }) replies: number;
  @Column('jsonb', { default: {} }) held: Wire['held'];
  @Column('text', { nullable: true }) hold: InboundHold | null;
  @Column('timestamptz', { nullable: true }) heldAt: Date | null;
  @Column('integer', { default: 0 }) unnotified: number;
  @Column('timestamptz', { nullable: true }) notifiedAt: Date | null;
  @CreateDateColumn({ type: 'timestamptz' }) createdAt: Date;
  @UpdateDateColumn({ type: 'timestamptz' }) updatedAt: Date;
}

/** What an account has decided, for the audit log. */
export function audited(row: InboundRule) {
  const { title, isActive, isContinued, types, sender, mode, keywords, actions } = row;
  const { WebhookId, replyText, replyMinutes, ListId, listChange } = row;
  const conditions = { title, isActive, isContinued, types, sender, mode, keywords };
  return { ...conditions, actions, WebhookId, replyText, replyMinutes, ListId, listChange };
}

export function present(row: WithOwner<InboundRule>, level: Level): Wire {
  return {
    id: row.id,
    position: row.position,
    ...audited(row),
    matched: row.matched,
    matchedAt: row.matchedAt?.toISOString() ?? null,
    replies: row.replies,
    held: row.held,
    hold: row.hold,
    heldAt: row.heldAt?.toISOString() ?? null,
    OwnerId: row.OwnerId,
    ...(level !== 'me' && row.Owner && { Owner: ownerRef(row.Owner) }),
    createdAt: row.createdAt.toISOString(),
    updatedAt: row.updatedAt.toISOString(),
  };
}
