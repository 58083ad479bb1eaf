import type { CatalogueTariff, Tariff as Wire, TariffRule } from '@heliograph/contract';
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

/** What a tariff has besides its row. */
export interface TariffDetails {
  accounts: number;
  rules: AccountTariffRule[];
}

export const presentRule = ({ price, ...rule }: AccountTariffRule): TariffRule => ({
  ...rule,
  price: price.length === 1 ? price[0]! : price,
});

export function presentInCatalogue(
  { id, title, source, isDefault, createdAt, updatedAt }: Tariff,
  { accounts, rules }: TariffDetails,
): CatalogueTariff {
  return {
    id,
    title,
    source,
    isDefault,
    accounts,
    rules: rules.map(presentRule),
    createdAt: createdAt.toISOString(),
    updatedAt: updatedAt.toISOString(),
  };
}

export function presentAccountTariff({
  rules,
  ...tariff
}: AccountTariff): Wire['usersTariffs'][number] {
  return { ...tariff, finalRules: rules.map(presentRule) };
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
