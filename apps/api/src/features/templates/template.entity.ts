import type { Level, Moderation, SendingType, Template as Wire } from '@heliograph/contract';
import { Column, CreateDateColumn, Entity, PrimaryColumn, UpdateDateColumn } from 'typeorm';
import type { Named } from '../../core/auth/owners.ts';

@Entity('templates')
export class Template {
  @PrimaryColumn('uuid', { default: () => 'uuidv7()' }) id: string;
  @Column('uuid') OwnerId: string;
  @Column('text') title: string;
  @Column('text') type: SendingType;
  @Column('jsonb', { default: {} }) payload: Wire['payload'];
  @Column('jsonb', { nullable: true }) recipient: Wire['recipient'];
  @Column('jsonb', { default: [] }) fallbacks: Wire['fallbacks'];
  @Column('boolean', { default: true }) isActive: boolean;
  @Column('text', { default: 'pending' }) moderation: Moderation;
  @Column('text', { nullable: true }) comment: string | null;
  @CreateDateColumn({ type: 'timestamptz' }) createdAt: Date;
  @UpdateDateColumn({ type: 'timestamptz' }) updatedAt: Date;
}

/** What a sending starts from. Fallbacks carry their options under both names, for older clients. */
export function draft(row: Template): Pick<Wire, 'type' | 'payload' | 'recipient' | 'fallbacks'> {
  return {
    type: row.type,
    payload: row.payload,
    recipient: row.recipient,
    fallbacks: row.fallbacks.map((f) => ({ ...f, $options: f.options })),
  };
}

/** The public face of a row; whose it is, is told to levels that see more than their own. */
export function present(row: Named<Template>, level: Level): Wire {
  return {
    id: row.id,
    title: row.title,
    ...draft(row),
    isActive: row.isActive,
    moderation: row.moderation,
    comment: row.comment,
    OwnerId: row.OwnerId,
    ...(level !== 'me' && row.Owner && { Owner: row.Owner }),
    createdAt: row.createdAt.toISOString(),
    updatedAt: row.updatedAt.toISOString(),
  };
}
