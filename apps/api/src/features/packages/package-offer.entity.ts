import type { PackageOffer as Wire } from '@heliograph/contract';
import { moneyToNumber, parseMoney, typeOf, type PackageType } from '@heliograph/domain';
import { Column, Entity, PrimaryColumn } from 'typeorm';
import { uuidTime } from '../../core/uuid.ts';

/** A prepaid package of messages that accounts can buy. The creation time is part of the id. */
@Entity('package_offers')
export class PackageOffer {
  @PrimaryColumn('uuid', { default: () => 'uuidv7()' }) id: string;
  @Column('text') title: string;
  @Column('smallint', { array: true }) types: number[];
  @Column('text', { array: true }) mccmnc: string[];
  @Column('integer') units: number;
  @Column('numeric', { precision: 18, scale: 4 }) price: string;
  @Column('text') currency: string;
  @Column('integer') days: number;
  @Column('boolean') isActive: boolean;
}

/** What was sold of an offer. */
export type Sales = NonNullable<Wire['sales']>;

export const present = ({ id, price, types, ...row }: PackageOffer, sales?: Sales): Wire => ({
  id,
  title: row.title,
  types: presentTypes(types),
  mccmnc: row.mccmnc,
  units: row.units,
  price: moneyToNumber(parseMoney(price)),
  currency: row.currency,
  days: row.days,
  isActive: row.isActive,
  ...(sales && { sales }),
  createdAt: uuidTime(id).toISOString(),
});

export const presentTypes = (codes: number[]): PackageType[] =>
  codes.map((code) => typeOf(code) as PackageType);
