import type { Billing as Wire, Level, OwnerRef } from '@heliograph/contract';
import { moneyToNumber, parseMoney, typeOf, type VolumeStep } from '@heliograph/domain';
import { Column, Entity, PrimaryColumn, VirtualColumn } from 'typeorm';
import type { WithOwner } from '../../core/auth/owners.ts';
import { uuidTime } from '../../core/uuid.ts';
import {
  BILLING_STATUS_CODES,
  billingStatusOf,
  ORIGIN_CODES,
  originOf,
  sourceOf,
  volumeStepSql,
} from './billing.codes.ts';

/** An entry of the ledger. A charge has the id of its sending; the creation time is part of the id. */
@Entity('billings')
export class Billing {
  @PrimaryColumn('uuid', { default: () => 'uuidv7()' }) id: string;
  @Column('uuid') OwnerId: string;
  @Column('smallint') source: number;
  @Column('smallint', { default: BILLING_STATUS_CODES.complete }) status: number;
  @Column('numeric', { precision: 18, scale: 4 }) amount: string;
  @Column('numeric', { precision: 18, scale: 4, array: true, nullable: true })
  price: number[] | null;
  @Column('integer', { default: 1 }) multiplier: number;
  @Column('uuid', { nullable: true }) TariffId: string | null;
  @Column('integer', { nullable: true }) tariffVersion: number | null;
  /** Of a charge by a tariff with volume steps: the number of its step, 0 before the first one. */
  @Column('smallint', { nullable: true }) volumeStep: number | null;
  @VirtualColumn({ type: 'jsonb', query: volumeStepSql })
  step: VolumeStep | null;
  @Column('uuid', { nullable: true }) tokenId: string | null;
  @Column('uuid', { nullable: true }) PackageId: string | null;
  @VirtualColumn({
    type: 'text',
    query: (entry) => `(select p.title from message_packages p where p.id = ${entry}.package_id)`,
  })
  packageTitle: string | null;
  @Column('text', { nullable: true }) comment: string | null;
  @Column('boolean', { default: false }) noRef: boolean;
  @Column('uuid', { nullable: true }) createdBy: string | null;
  /** The entry on the other side of a transfer. */
  @Column('uuid', { nullable: true }) counterpartId: string | null;
  /** The cause, which has one entry. Null for charges and manual entries. */
  @Column('smallint', { nullable: true }) origin: number | null;
  @Column('uuid', { nullable: true }) originId: string | null;
  /** Of a refund. */
  @VirtualColumn({
    type: 'uuid',
    query: (entry) =>
      `(select r.payment_id from payment_refunds r where r.id = ${entry}.origin_id and ${entry}.origin = ${ORIGIN_CODES.refund})`,
  })
  PaymentId: string | null;
  @Column('timestamptz', { nullable: true }) refundedAt: Date | null;
  @VirtualColumn({
    type: 'jsonb',
    query: (entry) =>
      `(select jsonb_build_object('id', u.id, 'username', u.username)
          from billings c join users u on u.id = c.owner_id where c.id = ${entry}.counterpart_id)`,
  })
  Counterpart: OwnerRef | null;
  /** Of a row of a bulk operation, whose id is that of its task. */
  @VirtualColumn({
    type: 'uuid',
    query: (entry) =>
      `(select r.operation_id from billing_operation_rows r
         where ${entry}.origin = ${ORIGIN_CODES.operation} and r.id = ${entry}.origin_id)`,
  })
  TaskId: string | null;

  /** Of the charged sending. */
  @VirtualColumn({
    type: 'jsonb',
    query: (entry) =>
      `(select jsonb_build_object('type', s.type, 'segments', s.segments, 'attempt', s.attempt, 'groupId', s.group_id)
          from sendings s where s.id = ${entry}.id)`,
  })
  params: (Omit<NonNullable<Wire['data']['params']>, 'type'> & { type: number }) | null;
}

/** `hidden` is shown to managers and to the user who created the entry. */
export function present(row: WithOwner<Billing>, level: Level, seesHidden: boolean): Wire {
  const Owner = level === 'me' ? undefined : row.Owner;
  const createdAt = uuidTime(row.id);
  return {
    id: row.id,
    source: sourceOf(row.source),
    amount: moneyToNumber(parseMoney(row.amount)),
    status: billingStatusOf(row.status),
    data: {
      price: row.price?.length === 1 ? row.price[0]! : row.price,
      multiplier: row.multiplier,
      params: row.params ? { ...row.params, type: typeOf(row.params.type) } : null,
      ...(seesHidden && { hidden: { comment: row.comment, noRef: row.noRef } }),
    },
    meta: {
      billings: { ids: [row.id, ...(Owner && row.counterpartId ? [row.counterpartId] : [])] },
      origin: row.origin === null ? null : presentOrigin(row.origin, row),
      ...(level === 'manager' && row.TaskId && { TaskId: row.TaskId }),
    },
    TariffId: row.TariffId,
    ...(row.PackageId && { PackageId: row.PackageId }),
    ...(row.packageTitle !== null && { package: row.packageTitle }),
    tariffVersion: row.tariffVersion,
    ...(row.step && { volumeStep: row.step }),
    OwnerId: row.OwnerId,
    ...(Owner && { Owner, ...(row.Counterpart && { Counterpart: row.Counterpart }) }),
    refundedAt: row.refundedAt?.toISOString() ?? null,
    createdAt: createdAt.toISOString(),
    updatedAt: (row.refundedAt ?? createdAt).toISOString(),
  };
}

const presentOrigin = (code: number, { originId, PaymentId }: Billing) => ({
  type: originOf(code),
  id: originId!,
  ...(PaymentId && { PaymentId }),
});
