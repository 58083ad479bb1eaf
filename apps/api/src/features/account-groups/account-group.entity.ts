import { Column, CreateDateColumn, PrimaryColumn, UpdateDateColumn } from 'typeorm';

/** What groups of all kinds have. They belong to the installation; accounts are put into them. */
export abstract class AccountGroup {
  @PrimaryColumn('uuid', { default: () => 'uuidv7()' }) id: string;
  @Column('text') title: string;
  /** How many are in it; read with the row. */
  accounts?: number;
  @CreateDateColumn({ type: 'timestamptz' }) createdAt: Date;
  @UpdateDateColumn({ type: 'timestamptz' }) updatedAt: Date;
}

/** The public face of what all have. */
export const presentGroup = (row: AccountGroup) => ({
  id: row.id,
  title: row.title,
  accounts: row.accounts ?? 0,
  createdAt: row.createdAt.toISOString(),
  updatedAt: row.updatedAt.toISOString(),
});

export const countOf = (members: string) => (group: string) =>
  `(select count(*)::int from ${members} m where m.group_id = ${group}.id)`;
