import type { ContactList as Wire } from '@heliograph/contract';
import { Column, CreateDateColumn, Entity, PrimaryColumn, UpdateDateColumn } from 'typeorm';

@Entity('contact_lists')
export class ContactList {
  @PrimaryColumn('uuid', { default: () => 'uuidv7()' }) id: string;
  @Column('uuid') OwnerId: string;
  @Column('text') title: string;
  @Column('text', { default: 'regular' }) type: 'regular' | 'blacklist';
  @Column('boolean', { default: true }) isActive: boolean;
  /** Moves only by `counted()`: a list saved after it was read must not take an older count along. */
  @Column({ type: 'integer', default: 0, insert: false, update: false }) count: number;
  @CreateDateColumn({ type: 'timestamptz' }) createdAt: Date;
  @UpdateDateColumn({ type: 'timestamptz' }) updatedAt: Date;
}

export function present(row: ContactList): Wire {
  return {
    id: row.id,
    title: row.title,
    type: row.type,
    isActive: row.isActive,
    count: row.count,
    OwnerId: row.OwnerId,
    createdAt: row.createdAt.toISOString(),
    updatedAt: row.updatedAt.toISOString(),
  };
}
