import type { Level, Webhook as Wire } from '@heliograph/contract';
import type { WebhookEvent, WebhookStatus } from '@heliograph/domain';
import { Column, CreateDateColumn, Entity, PrimaryColumn, UpdateDateColumn } from 'typeorm';
import { ownerRef, type WithOwner } from '../../core/auth/owners.ts';

@Entity('webhooks')
export class Webhook {
  @PrimaryColumn('uuid', { default: () => 'uuidv7()' }) id: string;
  @Column('uuid') OwnerId: string;
  /** The API token in whose name it acts; null: the account itself. */
  @Column('uuid', { nullable: true }) TokenId: string | null;
  /** The integration that it reports to, and that manages it. */
  @Column('uuid', { nullable: true }) IntegrationId: string | null;
  /** The queue of the account's receivers over SMPP, which is no webhook of anybody. */
  @Column('boolean', { default: false }) isSmpp: boolean;
  /** Whose form the callbacks of messages have that it queues, which is no webhook of anybody. */
  @Column('text', { nullable: true }) callbackApi: string | null;
  /** Of such a queue: the latest time for which a message named it. */
  @Column('timestamptz', { nullable: true }) usedAt: Date | null;
  @Column('text') title: string;
  @Column('text') event: WebhookEvent;
  @Column('text') url: string;
  @Column('text') method: 'GET' | 'POST';
  /** Values that may be secret are null here and encrypted in `headerValues`. */
  @Column('jsonb', { default: [] }) headers: Wire['headers'];
  @Column('bytea', { nullable: true }) headerValues: Buffer | null;
  @Column('text', { nullable: true }) body: string | null;
  @Column('text', { array: true, nullable: true }) statuses: WebhookStatus[] | null;
  @Column('smallint', { default: 1 }) batchSize: number;
  @Column('smallint', { default: 5 }) maxConnections: number;
  @Column('jsonb', { nullable: true }) successOn: Wire['successOn'];
  @Column('text', { default: 'active' }) state: Wire['state'];
  @Column('text', { nullable: true }) reason: Wire['reason'];
  @Column('bytea') secret: Buffer;
  @Column('bytea', { nullable: true }) previousSecret: Buffer | null;
  @Column('timestamptz', { nullable: true }) previousUntil: Date | null;
  @Column('integer', { default: 0 }) failures: number;
  @Column('timestamptz', { nullable: true }) failingSince: Date | null;
  @Column('timestamptz', { nullable: true }) blockedUntil: Date | null;
  @Column('timestamptz', { nullable: true }) lastSuccessAt: Date | null;
  @Column('integer', { default: 0 }) lease: number;
  @Column('timestamptz', { nullable: true }) leaseUntil: Date | null;
  @Column('timestamptz', { nullable: true }) servedAt: Date | null;
  @CreateDateColumn({ type: 'timestamptz' }) createdAt: Date;
  @UpdateDateColumn({ type: 'timestamptz' }) updatedAt: Date;
}

const time = (at: Date | null) => at?.toISOString() ?? null;

export function present(row: WithOwner<Webhook>, level: Level): Wire {
  return {
    id: row.id,
    title: row.title,
    event: row.event,
    url: row.url,
    method: row.method,
    headers: row.headers,
    body: row.body,
    statuses: row.statuses,
    batchSize: row.batchSize,
    maxConnections: row.maxConnections,
    successOn: row.successOn,
    state: row.state,
    reason: row.reason,
    failures: row.failures,
    failingSince: time(row.failingSince),
    blockedUntil: time(row.blockedUntil),
    lastSuccessAt: time(row.lastSuccessAt),
    previousSecretUntil: time(row.previousUntil),
    OwnerId: row.OwnerId,
    ...(level !== 'me' && row.Owner && { Owner: ownerRef(row.Owner) }),
    createdAt: row.createdAt.toISOString(),
    updatedAt: row.updatedAt.toISOString(),
  };
}
