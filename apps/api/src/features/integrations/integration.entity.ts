import type { Integration as Wire, IntegrationRefusal, Level, Webhook } from '@heliograph/contract';
import { isEndpointBroken } from '@heliograph/domain';
import { Column, CreateDateColumn, Entity, PrimaryColumn, UpdateDateColumn } from 'typeorm';
import { ownerRef, type WithOwner } from '../../core/auth/owners.ts';

@Entity('integrations')
export class Integration {
  @PrimaryColumn('uuid', { default: () => 'uuidv7()' }) id: string;
  @Column('uuid') OwnerId: string;
  @Column('text') kind: Wire['kind'];
  @Column('text') title: string;
  @Column('text') type: Wire['type'];
  @Column('text') sender: string;
  @Column('bytea') secret: Buffer;
  @Column('text', { nullable: true }) portal: string | null;
  @Column('text', { nullable: true }) clientId: string | null;
  @Column('bytea', { nullable: true }) clientSecret: Buffer | null;
  @Column('bytea', { nullable: true }) access: Buffer | null;
  @Column('bytea', { nullable: true }) applicationToken: Buffer | null;
  @Column('text', { nullable: true }) recipient: string | null;
  @Column('text', { nullable: true }) text: string | null;
  @Column('text', { nullable: true }) key: string | null;
  @Column('boolean', { default: true }) isActive: boolean;
  @Column('text', { nullable: true }) error: string | null;
  @Column('jsonb', { nullable: true }) refusal: IntegrationRefusal | null;
  @Column('timestamptz', { nullable: true }) errorAt: Date | null;
  @Column('timestamptz', { nullable: true }) lastMessageAt: Date | null;
  @CreateDateColumn({ type: 'timestamptz' }) createdAt: Date;
  @UpdateDateColumn({ type: 'timestamptz' }) updatedAt: Date;
}

/** The webhook that reports statuses to an integration. */
export interface Reports {
  state: Webhook['state'];
  failures: number;
}
export type Shown = WithOwner<Integration> & { reports: Reports | null };

export function present(row: Shown, level: Level): Wire {
  return {
    id: row.id,
    kind: row.kind,
    title: row.title,
    type: row.type,
    sender: row.sender,
    portal: row.portal,
    clientId: row.clientId,
    hasClientSecret: row.clientSecret !== null,
    recipient: row.recipient,
    text: row.text,
    key: row.key,
    isActive: row.isActive,
    state: stateOf(row),
    error: row.error,
    refusal: row.refusal,
    errorAt: row.errorAt?.toISOString() ?? null,
    lastMessageAt: row.lastMessageAt?.toISOString() ?? null,
    statuses: row.reports?.state ?? null,
    OwnerId: row.OwnerId,
    ...(level !== 'me' && row.Owner && { Owner: ownerRef(row.Owner) }),
    createdAt: row.createdAt.toISOString(),
    updatedAt: row.updatedAt.toISOString(),
  };
}

function stateOf({ isActive, kind, access, error, lastMessageAt, reports }: Shown): Wire['state'] {
  if (!isActive) return 'off';
  const areReportsFailing = reports && (reports.state !== 'active' || isEndpointBroken(reports));
  if (error || areReportsFailing) return 'failing';
  const isConnected = kind === 'bitrix24' ? access !== null : lastMessageAt !== null;
  return isConnected ? 'working' : 'waiting';
}
