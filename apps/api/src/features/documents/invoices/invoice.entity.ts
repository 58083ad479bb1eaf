import type { Invoice as Wire, Level } from '@heliograph/contract';
import type { DocumentFacts, InvoiceStatus, InvoiceType, Locale } from '@heliograph/domain';
import { Column, CreateDateColumn, Entity, PrimaryColumn, UpdateDateColumn } from 'typeorm';
import type { WithOwner } from '../../../core/auth/owners.ts';

/** What a document shows, and the titles of its company and requisite. */
export interface InvoiceSnapshot extends DocumentFacts {
  titles: { company: string; requisite: string };
}

@Entity('invoices')
export class Invoice {
  @PrimaryColumn('uuid', { default: () => 'uuidv7()' }) id: string;
  @Column('uuid') OwnerId: string;
  @Column('text') type: InvoiceType;
  @Column('text') source: 'user' | 'system';
  @Column('text', { default: 'pending' }) status: InvoiceStatus;
  @Column('numeric', { precision: 18, scale: 2 }) amount: string;
  @Column('text') currency: string;
  @Column('smallint', { nullable: true }) vatRate: number | null;
  @Column('numeric', { precision: 18, scale: 2, default: 0 }) vatAmount: string;
  @Column('uuid') CompanyId: string;
  @Column('uuid', { nullable: true }) RequisiteId: string | null;
  @Column('smallint') year: number;
  @Column('integer') number: number;
  @Column('text') docNumber: string;
  @Column('date') day: string;
  /** The first day of the month of an act. */
  @Column('date', { nullable: true }) period: string | null;
  @Column('timestamptz', { nullable: true }) validUntil: Date | null;
  @Column('jsonb') snapshot: InvoiceSnapshot;
  @Column('uuid') DocumentId: string;
  /** When its file was stored; null while it is still to be made. */
  @Column('timestamptz', { nullable: true }) madeAt: Date | null;
  @Column('text', { nullable: true }) reason: string | null;
  @Column('timestamptz', { nullable: true }) paidAt: Date | null;
  @Column('uuid', { nullable: true }) paidBy: string | null;
  @Column('timestamptz', { nullable: true }) rejectedAt: Date | null;
  @Column('uuid', { nullable: true }) rejectedBy: string | null;
  @Column('text', { nullable: true }) emailTo: string | null;
  @Column('text', { nullable: true }) emailLocale: Locale | null;
  @Column('smallint', { default: 0 }) emailAttempts: number;
  @Column('timestamptz', { nullable: true }) emailDue: Date | null;
  @Column('timestamptz', { nullable: true }) emailSentAt: Date | null;
  @CreateDateColumn({ type: 'timestamptz' }) createdAt: Date;
  @UpdateDateColumn({ type: 'timestamptz' }) updatedAt: Date;
}

export function present(row: WithOwner<Invoice>, level: Level): Wire {
  const { company, requisite } = row.snapshot.titles;
  return {
    id: row.id,
    type: row.type,
    amount: Number(row.amount),
    currency: row.currency,
    vatRate: row.vatRate,
    vatAmount: Number(row.vatAmount),
    source: row.source,
    status: row.status,
    docNumber: row.docNumber,
    companyId: row.CompanyId,
    requisiteId: row.RequisiteId,
    company: { id: row.CompanyId, title: company },
    requisite: row.RequisiteId ? { id: row.RequisiteId, title: requisite } : null,
    customerId: row.OwnerId,
    documentId: row.DocumentId,
    period: row.period?.slice(0, 7) ?? null,
    validUntil: row.validUntil?.toISOString() ?? null,
    reason: row.reason,
    paidAt: row.paidAt?.toISOString() ?? null,
    rejectedAt: row.rejectedAt?.toISOString() ?? null,
    email: emailOf(row),
    OwnerId: row.OwnerId,
    ...(level !== 'me' && row.Owner && { Owner: row.Owner }),
    createdAt: row.createdAt.toISOString(),
    updatedAt: row.updatedAt.toISOString(),
  };
}

function emailOf({ emailTo, emailSentAt, emailDue, emailAttempts }: Invoice): Wire['email'] {
  if (!emailTo) return null;
  const status = emailSentAt ? 'sent' : emailDue ? 'pending' : 'failed';
  return {
    to: emailTo,
    status,
    attempts: emailAttempts,
    sentAt: emailSentAt?.toISOString() ?? null,
  };
}
