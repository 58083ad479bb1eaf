import type { Tariff as Wire, TariffRule } from '@heliograph/contract';
import { Column, CreateDateColumn, Entity, PrimaryColumn, UpdateDateColumn } from 'typeorm';

@Entity('tariffs')
export class Tariff {
  @PrimaryColumn('uuid', { default: () => 'uuidv7()' }) id: string;
  @Column('text') title: string;
  /** The sending type of all rules; with any other value the conditions of the rules decide. */
  @Column('text') source: string;
  /** Assigned to new accounts. */
  @Column('boolean', { default: false }) isDefault: boolean;
  @CreateDateColumn({ type: 'timestamptz' }) createdAt: Date;
  @UpdateDateColumn({ type: 'timestamptz' }) updatedAt: Date;
}

/** A tariff of an account, with the account's priority. */
export interface AccountTariff {
  id: string;
  title: string;
  source: string;
  priority: number;
  rules: AccountTariffRule[];
}
export interface AccountTariffRule {
  id: string;
  action: TariffRule['action'];
  price: number[];
  conditions: TariffRule['conditions'];
  priority: number;
}

export function presentAccountTariff({
  rules,
  ...tariff
}: AccountTariff): Wire['usersTariffs'][number] {
  const finalRules = rules.map(({ price, ...rule }) => ({
    ...rule,
    price: price.length === 1 ? price[0]! : price,
  }));
  return { ...tariff, finalRules };
}

export function present(row: Tariff, held: AccountTariff[]): Wire {
  return {
    id: row.id,
    title: row.title,
    source: row.source,
    usersTariffs: held.filter((tariff) => tariff.id === row.id).map(presentAccountTariff),
    createdAt: row.createdAt.toISOString(),
  };
}
