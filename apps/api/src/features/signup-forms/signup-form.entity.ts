import type { Level, SignupForm as Wire } from '@heliograph/contract';
import { Column, CreateDateColumn, Entity, PrimaryColumn, UpdateDateColumn } from 'typeorm';
import { ownerRef, type WithOwner } from '../../core/auth/owners.ts';

@Entity('signup_forms')
export class SignupForm {
  @PrimaryColumn('uuid', { default: () => 'uuidv7()' }) id: string;
  @Column('uuid') OwnerId: string;
  /** The API token in whose name it acts; null: the account itself. */
  @Column('uuid', { nullable: true }) TokenId: string | null;
  @Column('text') title: string;
  @Column('boolean') isActive: boolean;
  /** Null when it was removed. */
  @Column('uuid', { nullable: true }) ListId: string | null;
  @Column('text') type: Wire['type'];
  @Column('text') sender: string;
  @Column('text') text: string;
  @Column('jsonb') fields: Wire['fields'];
  @Column('text', { array: true }) tags: string[];
  @Column('text') consent: string;
  @Column('text', { nullable: true }) returnUrl: string | null;
  @Column('text', { array: true }) origins: string[];
  @Column('text', { array: true, nullable: true }) countries: string[] | null;
  /** Both move by statements of their own: a form saved after it was read must not take older counts along. */
  @Column({ type: 'integer', default: 0, insert: false, update: false }) asked: number;
  @Column({ type: 'integer', default: 0, insert: false, update: false }) confirmed: number;
  @CreateDateColumn({ type: 'timestamptz' }) createdAt: Date;
  @UpdateDateColumn({ type: 'timestamptz' }) updatedAt: Date;
}

/** What an account has decided, for the audit log. */
export function audited(row: SignupForm) {
  const { title, isActive, ListId, type, sender, text, fields, tags, consent } = row;
  const { returnUrl, origins, countries } = row;
  return {
    title,
    isActive,
    ListId,
    type,
    sender,
    text,
    fields,
    tags,
    consent,
    returnUrl,
    origins,
    countries,
  };
}

/** `url` is the address of the installation, without a slash at the end, as the account sees it. */
export function present(row: WithOwner<SignupForm>, level: Level, url: string): Wire {
  return {
    id: row.id,
    ...audited(row),
    url: `${url}/f/${row.id}`,
    asked: row.asked,
    confirmed: row.confirmed,
    OwnerId: row.OwnerId,
    ...(level !== 'me' && row.Owner && { Owner: ownerRef(row.Owner) }),
    createdAt: row.createdAt.toISOString(),
    updatedAt: row.updatedAt.toISOString(),
  };
}
