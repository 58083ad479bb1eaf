import type {
  Level,
  Moderation,
  SendingType,
  Template as Wire,
  TemplateRow,
  TemplateVersion,
} from '@heliograph/contract';
import type { TrafficGroup } from '@heliograph/domain';
import { Column, CreateDateColumn, Entity, PrimaryColumn, UpdateDateColumn } from 'typeorm';
import { ownerRef, type WithOwner } from '../../core/auth/owners.ts';
import type { VersionRow } from './templates.store.ts';

const counted = (side: 'include' | 'exclude') =>
  ({
    asExpression: `jsonb_array_length(recipient -> '${side}')`,
    generatedType: 'STORED',
    nullable: true,
  }) as const;

@Entity('templates')
export class Template {
  @PrimaryColumn('uuid', { default: () => 'uuidv7()' }) id: string;
  @Column('uuid') OwnerId: string;
  @Column('text') title: string;
  @Column('text') type: SendingType;
  @Column('jsonb', { default: {} }) payload: Wire['payload'];
  /** Not selected in lists, since it may be as large as a request body. */
  @Column('jsonb', { nullable: true, select: false }) recipient?: Wire['recipient'];
  /** Number of recipients; null without recipients. */
  @Column('integer', counted('include')) included: number | null;
  @Column('integer', counted('exclude')) excluded: number | null;
  @Column('jsonb', { default: [] }) fallbacks: Wire['fallbacks'];
  @Column('text', { default: 'advertising' }) group: TrafficGroup;
  @Column('jsonb', { default: [] }) translations: Wire['translations'];
  @Column('integer', { default: 1 }) version: number;
  /** Who wrote the present version, and when below. */
  @Column('uuid', { nullable: true }) AuthorId: string | null;
  @Column('timestamptz', { default: () => 'now()' }) writtenAt: Date;
  @Column('boolean', { default: true }) isActive: boolean;
  @Column('text', { default: 'pending' }) moderation: Moderation;
  @Column('text', { nullable: true }) comment: string | null;
  @CreateDateColumn({ type: 'timestamptz' }) createdAt: Date;
  @UpdateDateColumn({ type: 'timestamptz' }) updatedAt: Date;
}

/** The draft of a sending. Fallbacks have their options under both names for older clients. */
export function draft(row: Template): Pick<Wire, 'type' | 'payload' | 'recipient' | 'fallbacks'> {
  return {
    type: row.type,
    payload: row.payload,
    recipient: row.recipient ?? null,
    fallbacks: fallbacksOf(row),
  };
}

const fallbacksOf = ({ fallbacks }: Pick<Template, 'fallbacks'>): Wire['fallbacks'] =>
  fallbacks.map((f) => ({ ...f, $options: f.options }));

/** `Owner` is shown to levels that see other accounts. */
export function presentRow(row: WithOwner<Template>, level: Level): TemplateRow {
  return {
    id: row.id,
    title: row.title,
    type: row.type,
    payload: row.payload,
    recipients:
      row.included === null ? null : { include: row.included, exclude: row.excluded ?? 0 },
    fallbacks: fallbacksOf(row),
    translations: row.translations,
    version: row.version,
    group: row.group,
    isActive: row.isActive,
    moderation: row.moderation,
    comment: row.comment,
    OwnerId: row.OwnerId,
    ...(level !== 'me' && row.Owner && { Owner: ownerRef(row.Owner) }),
    createdAt: row.createdAt.toISOString(),
    updatedAt: row.updatedAt.toISOString(),
  };
}

/** One template, with its recipients. */
export const present = (row: WithOwner<Template>, level: Level): Wire => ({
  ...presentRow(row, level),
  recipient: row.recipient ?? null,
});

export const presentVersion = (row: VersionRow): TemplateVersion => ({
  ...row,
  fallbacks: fallbacksOf(row),
  writtenAt: row.writtenAt.toISOString(),
});
