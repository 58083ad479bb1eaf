import { Column, CreateDateColumn, PrimaryColumn, UpdateDateColumn } from 'typeorm';

/** Common columns of groups. Groups belong to the installation; accounts are assigned to them. */
export abstract class AccountGroup {
  @PrimaryColumn('uuid', { default: () => 'uuidv7()' }) id: string;
  @Column('text') title: string;
  /** Number of members. */
  accounts?: number;
  @CreateDateColumn({ type: 'timestamptz' }) createdAt: Date;
  @UpdateDateColumn({ type: 'timestamptz' }) updatedAt: Date;
}

/** Presents the common fields. */
export const presentGroup = (row: AccountGroup) => ({
  id: row.id,
  title: row.title,
  accounts: row.accounts ?? 0,
  createdAt: row.createdAt.toISOString(),
  updatedAt: row.updatedAt.toISOString(),
});

export const countOf = (members: string) => (group: string) =>
  `(select count(*)::int from ${members} m where m.group_id = ${group}.id)`;
