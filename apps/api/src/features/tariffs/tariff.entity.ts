import type {
  CatalogueTariff,
  Tariff as Wire,
  TariffRule,
  TariffVersion as Version,
} from '@heliograph/contract';
import type { VolumeStep } from '@heliograph/domain';
import { Column, CreateDateColumn, Entity, PrimaryColumn, UpdateDateColumn } from 'typeorm';

@Entity('tariffs')
export class Tariff {
  @PrimaryColumn('uuid', { default: () => 'uuidv7()' }) id: string;
  @Column('text') title: string;
  /** The sending type of all rules; with any other value the conditions of the rules decide. */
  @Column('text') source: string;
  /** Assigned to new accounts. */
  @Column('boolean', { default: false }) isDefault: boolean;
  /** For whose customers it is; null for the installation's. */
  @Column('uuid', { nullable: true }) ResellerId: string | null;
  /** It stays for the bills that name it. */
  @Column('timestamptz', { nullable: true }) removedAt: Date | null;
  @CreateDateColumn({ type: 'timestamptz' }) createdAt: Date;
  @UpdateDateColumn({ type: 'timestamptz' }) updatedAt: Date;
}

/** A tariff of an account, with the account's priority. */
export interface AccountTariff {
  id: string;
  title: string;
  source: string;
  priority: number;
  version: number;
  /** Who made it; null for the installation. */
  ResellerId: string | null;
  rules: AccountTariffRule[];
  volumeSteps: VolumeStep[];
}
export interface AccountTariffRule {
  id: string;
  action: TariffRule['action'];
  price: number[];
  conditions: TariffRule['conditions'];
  priority: number;
  byLength?: TariffRule['byLength'];
}

/** What a tariff has besides its row. */
export interface TariffDetails {
  accounts: number;
  version: number;
  rules: AccountTariffRule[];
  volumeSteps: VolumeStep[];
}

export interface TariffVersionRow {
  number: number;
  startsAt: Date;
  createdAt: Date;
  isInForce: boolean;
  Author: Version['Author'];
  rules: AccountTariffRule[];
  volumeSteps: VolumeStep[];
}

export const presentRule = ({ price, ...rule }: AccountTariffRule): TariffRule => ({
  ...rule,
  price: price.length === 1 ? price[0]! : price,
});

export function presentInCatalogue(
  { id, title, source, isDefault, ResellerId, createdAt, updatedAt }: Tariff,
  { accounts, version, rules, volumeSteps }: TariffDetails,
): CatalogueTariff {
  return {
    id,
    title,
    source,
    isDefault,
    ResellerId,
    accounts,
    version,
    rules: rules.map(presentRule),
    volumeSteps,
    createdAt: createdAt.toISOString(),
    updatedAt: updatedAt.toISOString(),
  };
}

export const presentVersion = ({
  startsAt,
  createdAt,
  rules,
  ...version
}: TariffVersionRow): Version => ({
  ...version,
  startsAt: startsAt.toISOString(),
  createdAt: createdAt.toISOString(),
  rules: rules.map(presentRule),
});

export function presentAccountTariff({
  rules,
  ResellerId,
  ...tariff
}: AccountTariff): Wire['usersTariffs'][number] {
  const finalRules = rules.map(presentRule);
  return { ...tariff, isOfReseller: ResellerId !== null, finalRules, data: { rules: finalRules } };
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
