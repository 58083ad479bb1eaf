import { CUSTOM_FIELDS, type Contact as Wire } from '@heliograph/contract';
import { Column, CreateDateColumn, Entity, PrimaryColumn, UpdateDateColumn } from 'typeorm';
import { timesOf } from '../../core/uuid.ts';

export type CustomField = (typeof CUSTOM_FIELDS)[number];
export type Customs = Partial<Record<CustomField, string>>;

/** The list determines the owner. */
@Entity('contacts')
export class Contact {
  @PrimaryColumn('uuid', { default: () => 'uuidv7()' }) id: string;
  @Column('uuid') ListId: string;
  @Column('text', { nullable: true }) phone: string | null;
  @Column('text', { nullable: true }) email: string | null;
  @Column('text', { nullable: true }) firstName: string | null;
  @Column('text', { nullable: true }) middleName: string | null;
  @Column('text', { nullable: true }) lastName: string | null;
  @Column('text', { nullable: true }) gender: 'male' | 'female' | null;
  @Column('date', { nullable: true }) date: string | null;
  /** Only those that are set. */
  @Column('jsonb', { default: {} }) custom: Customs;
  @Column('text', { array: true, default: [] }) tags: string[];
  @CreateDateColumn({ type: 'timestamptz' }) createdAt: Date;
  @UpdateDateColumn({ type: 'timestamptz' }) updatedAt: Date;
}

export function present(row: Contact): Wire {
  const customs = Object.fromEntries(
    CUSTOM_FIELDS.map((name) => [name, row.custom[name] ?? null]),
  ) as Record<CustomField, string | null>;
  return {
    id: row.id,
    ListId: row.ListId,
    phone: row.phone,
    email: row.email,
    firstName: row.firstName,
    middleName: row.middleName,
    lastName: row.lastName,
    gender: row.gender,
    date: row.date,
    ...customs,
    tags: row.tags,
    ...timesOf(row),
  };
}
