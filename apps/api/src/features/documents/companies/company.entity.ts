import type { Company as Wire, CompanyData, DocumentType, Level } from '@heliograph/contract';
import { hasVat, type PartyFacts, type TaxSystem } from '@heliograph/domain';
import { Column, CreateDateColumn, Entity, PrimaryColumn, UpdateDateColumn } from 'typeorm';
import { ownerRef } from '../../../core/auth/owners.ts';
import type { Owner } from '@heliograph/contract';

@Entity('companies')
export class Company {
  @PrimaryColumn('uuid', { default: () => 'uuidv7()' }) id: string;
  /** Null: it issues documents to every account. */
  @Column('uuid', { nullable: true }) OwnerId: string | null;
  @Column('text') title: string;
  @Column('text') taxSystem: TaxSystem;
  @Column('text', { default: '' }) prefix: string;
  @Column('smallint', { default: 5 }) validDays: number;
  @Column('jsonb') data: CompanyData;
  @Column('boolean', { default: true }) isActive: boolean;
  @CreateDateColumn({ type: 'timestamptz' }) createdAt: Date;
  @UpdateDateColumn({ type: 'timestamptz' }) updatedAt: Date;
}

/** With the types of its active templates. */
export type CompanyRow = Company & { types: DocumentType[]; Owner?: Owner | undefined };

export function present(row: CompanyRow, level: Level): Wire {
  return {
    id: row.id,
    title: row.title,
    taxSystem: row.taxSystem,
    vat: hasVat(row.taxSystem),
    prefix: row.prefix,
    validDays: row.validDays,
    data: row.data,
    isActive: row.isActive,
    DocumentTemplatesTypes: row.types,
    OwnerId: row.OwnerId,
    ...(level !== 'me' && row.Owner && { Owner: ownerRef(row.Owner) }),
    createdAt: row.createdAt.toISOString(),
    updatedAt: row.updatedAt.toISOString(),
  };
}

/** The seller of a document. */
export function sellerFacts({ data }: Pick<Company, 'data'>): PartyFacts & { accountant: string } {
  const { legal, bank, signer } = data;
  return {
    name: legal.name,
    inn: legal.inn,
    kpp: legal.kpp ?? '',
    ogrn: legal.ogrn ?? '',
    address: legal.address,
    phone: data.phone ?? '',
    email: data.email ?? '',
    bankName: bank.name,
    bik: bank.bik,
    account: bank.rs,
    correspondentAccount: bank.ks,
    signerName: signer.fullName,
    signerNameGenitive: signer.fullNameGenitive || signer.fullName,
    signerPosition: signer.position,
    signerPositionGenitive: signer.positionGenitive || signer.position,
    signerBasis: signer.basis ?? '',
    signerBasisGenitive: signer.basisGenitive || (signer.basis ?? ''),
    accountant: data.accountant ?? '',
  };
}
