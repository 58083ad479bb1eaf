import type { Moderation, SendingType, Template as Wire } from '@heliograph/contract';
import { Column, CreateDateColumn, Entity, PrimaryColumn, UpdateDateColumn } from 'typeorm';

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

export function present(row: Template, Owner?: Wire['Owner']): Wire {
  return {
    id: row.id,
    title: row.title,
    ...draft(row),
    isActive: row.isActive,
    moderation: row.moderation,
    comment: row.comment,
    OwnerId: row.OwnerId,
    ...(Owner && { Owner }),
    createdAt: row.createdAt.toISOString(),
    updatedAt: row.updatedAt.toISOString(),
  };
}
