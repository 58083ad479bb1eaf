import type { Level, RecurrentPayment as Wire } from '@heliograph/contract';
import {
  moneyToNumber,
  parseMoney,
  type Frequency,
  type RecurrentStatus,
  type RecurrentType,
} from '@heliograph/domain';
import { Column, CreateDateColumn, Entity, PrimaryColumn, UpdateDateColumn } from 'typeorm';
import type { WithOwner } from '../../core/auth/owners.ts';
import { timesOf } from '../../core/uuid.ts';

@Entity('recurrent_payments')
export class RecurrentPayment {
  @PrimaryColumn('uuid', { default: () => 'uuidv7()' }) id: string;
  @Column('uuid') OwnerId: string;
  @Column('uuid') createdBy: string;
  @Column('text') type: RecurrentType;
  @Column('numeric', { precision: 18, scale: 4, nullable: true }) threshold: string | null;
  @Column('text', { nullable: true }) frequency: Frequency | null;
  @Column('text') method: Wire['method'];
  @Column('numeric', { precision: 18, scale: 4 }) amount: string;
  @Column('text') currency: string;
  @Column('text', { default: 'init' }) status: RecurrentStatus;
  @Column('text', { nullable: true }) cardNumber: string | null;
  @Column('bytea', { nullable: true, select: false }) cardToken: Buffer | null;
  @Column('integer', { default: 0 }) failures: number;
  @Column('boolean', { default: true }) isArmed: boolean;
  @Column('timestamptz', { nullable: true }) anchor: Date | null;
  /** That of the account at the anchor. */
  @Column('text', { default: 'UTC' }) timeZone: string;
  @Column('timestamptz', { nullable: true }) nextAt: Date | null;
  @CreateDateColumn({ type: 'timestamptz' }) createdAt: Date;
  @UpdateDateColumn({ type: 'timestamptz' }) updatedAt: Date;
}

const number = (amount: string) => moneyToNumber(parseMoney(amount));

export const present = (row: WithOwner<RecurrentPayment>, level: Level): Wire => ({
  id: row.id,
  type: row.type,
  threshold: row.threshold === null ? null : number(row.threshold),
  frequency: row.frequency,
  method: row.method,
  amount: number(row.amount),
  currency: row.currency,
  status: row.status,
  isActive: row.status === 'ready',
  // It cannot be created otherwise.
  isOfferAccepted: true,
  failures: row.failures,
  nextAt: row.status === 'ready' ? (row.nextAt?.toISOString() ?? null) : null,
  meta: { bankData: row.cardNumber ? { cardNumber: row.cardNumber } : null },
  OwnerId: row.OwnerId,
  ...(level !== 'me' && row.Owner && { Owner: row.Owner }),
  ...timesOf(row),
});
