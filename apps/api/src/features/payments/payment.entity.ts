import type { Level, Payment as Wire, PaymentDetails } from '@heliograph/contract';
import {
  moneyToNumber,
  parseMoney,
  paymentTransition,
  type Money,
  type PaymentEvent,
  type PaymentStatus,
} from '@heliograph/domain';
import { Column, CreateDateColumn, Entity, PrimaryColumn, UpdateDateColumn } from 'typeorm';
import type { WithOwner } from '../../core/auth/owners.ts';
import { timesOf } from '../../core/uuid.ts';

export type PaymentKind = 'single' | 'first' | 'charge';

@Entity('payments')
export class Payment {
  @PrimaryColumn('uuid', { default: () => 'uuidv7()' }) id: string;
  @Column('uuid') OwnerId: string;
  @Column('uuid', { nullable: true }) createdBy: string | null;
  @Column('text') method: string;
  @Column('numeric', { precision: 18, scale: 4 }) amount: string;
  @Column('numeric', { precision: 18, scale: 4, default: 0 }) commission: string;
  @Column('text') currency: string;
  @Column('text', { default: 'init' }) status: PaymentStatus;
  @Column('text', { nullable: true }) reason: Wire['reason'];
  @Column('numeric', { precision: 18, scale: 4, default: 0 }) refunded: string;
  @Column('text', { nullable: true }) externalId: string | null;
  /** Where the payer pays. */
  @Column('text', { nullable: true }) url: string | null;
  @Column('text', { nullable: true }) cardNumber: string | null;
  @Column('text') urlSuccess: string;
  @Column('text') urlFail: string;
  @Column('text', { default: 'single' }) kind: PaymentKind;
  @Column('uuid', { nullable: true }) RecurrentPaymentId: string | null;
  @Column('timestamptz', { nullable: true }) nextQueryAt: Date | null;
  @Column('integer', { default: 0 }) queries: number;
  @Column('timestamptz') expiresAt: Date;
  @Column('timestamptz', { nullable: true }) completedAt: Date | null;
  @CreateDateColumn({ type: 'timestamptz' }) createdAt: Date;
  @UpdateDateColumn({ type: 'timestamptz' }) updatedAt: Date;
}

export interface Refund {
  id: string;
  paymentId: string;
  amount: string;
  status: PaymentDetails['refunds'][number]['status'];
  isExternal: boolean;
  shortfall: string;
  createdAt: Date;
}

const number = (amount: string) => moneyToNumber(parseMoney(amount));

/** The status after an event; null if it changes nothing. `added` is refunded with it, `isRefunding` while another refund is open. */
export const transition = (
  { status, amount, refunded }: Payment,
  event: PaymentEvent,
  added: Money = 0n,
  isRefunding = false,
): PaymentStatus | null =>
  paymentTransition(status, event, {
    amount: parseMoney(amount),
    refunded: parseMoney(refunded) + added,
    isRefunding,
  });

export function present(row: WithOwner<Payment>, level: Level): Wire {
  return {
    id: row.id,
    method: row.method,
    amount: number(row.amount),
    commission: number(row.commission),
    currency: row.currency,
    status: row.status,
    reason: row.reason,
    refunded: number(row.refunded),
    meta: {
      bankData: row.cardNumber ? { cardNumber: row.cardNumber } : null,
      ...(level === 'manager' && { externalId: row.externalId }),
    },
    RecurrentPaymentId: row.RecurrentPaymentId,
    OwnerId: row.OwnerId,
    ...(level !== 'me' && row.Owner && { Owner: row.Owner }),
    completedAt: row.completedAt?.toISOString() ?? null,
    ...timesOf(row),
  };
}

export const presentRefund = (row: Refund, level: Level): PaymentDetails['refunds'][number] => ({
  id: row.id,
  amount: number(row.amount),
  status: row.status,
  isExternal: row.isExternal,
  ...(level === 'manager' && { shortfall: number(row.shortfall) }),
  createdAt: row.createdAt.toISOString(),
});
