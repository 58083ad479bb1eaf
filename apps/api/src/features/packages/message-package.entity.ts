import type { MessagePackage as Wire } from '@heliograph/contract';
import { moneyToNumber, parseMoney } from '@heliograph/domain';
import { Column, Entity, PrimaryColumn } from 'typeorm';
import { uuidTime } from '../../core/uuid.ts';
import { presentTypes } from './package-offer.entity.ts';

/** A prepaid package of an account. The creation time is part of the id. */
@Entity('message_packages')
export class MessagePackage {
  @PrimaryColumn('uuid', { default: () => 'uuidv7()' }) id: string;
  @Column('uuid') OwnerId: string;
  @Column('uuid') OfferId: string;
  @Column('text') title: string;
  @Column('smallint', { array: true }) types: number[];
  @Column('text', { array: true }) mccmnc: string[];
  @Column('integer') units: number;
  @Column('integer') unitsLeft: number;
  /** What the payer paid; zero where nobody did. */
  @Column('numeric', { precision: 18, scale: 4 }) price: string;
  @Column('text') currency: string;
  @Column('uuid', { nullable: true }) payerId: string | null;
  @Column('uuid', { nullable: true }) createdBy: string | null;
  @Column('timestamptz') endsAt: Date;
  /** The used share in percent that the owner was notified of. */
  @Column('smallint', { default: 0 }) usedNotified: number;
  /** Also of a package that lasts for no longer than the time of the notice. */
  @Column('boolean', { default: false }) endingNotified: boolean;
}

export const present = ({ id, price, types, ...row }: MessagePackage): Wire => ({
  id,
  OwnerId: row.OwnerId,
  OfferId: row.OfferId,
  title: row.title,
  types: presentTypes(types),
  mccmnc: row.mccmnc,
  units: row.units,
  unitsLeft: row.unitsLeft,
  price: moneyToNumber(parseMoney(price)),
  currency: row.currency,
  endsAt: row.endsAt.toISOString(),
  createdAt: uuidTime(id).toISOString(),
});
