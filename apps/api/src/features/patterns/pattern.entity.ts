import type { Level, Pattern as Wire, SendingType } from '@heliograph/contract';
import type { TrafficGroup } from '@heliograph/domain';
import { Column, CreateDateColumn, Entity, PrimaryColumn, UpdateDateColumn } from 'typeorm';
import { ownerRef, type WithOwner } from '../../core/auth/owners.ts';

@Entity('patterns')
export class Pattern {
  @PrimaryColumn('uuid', { default: () => 'uuidv7()' }) id: string;
  @Column('uuid') OwnerId: string;
  @Column('text') title: string;
  @Column('text') type: SendingType;
  @Column('text', { nullable: true }) sender: string | null;
  @Column('text') text: string;
  @Column('text') group: TrafficGroup;
  @Column('text', { nullable: true }) mccmnc: string | null;
  @CreateDateColumn({ type: 'timestamptz' }) createdAt: Date;
  @UpdateDateColumn({ type: 'timestamptz' }) updatedAt: Date;
}

/** `Owner` is shown to levels that see other accounts. */
export function present(row: WithOwner<Pattern>, level: Level): Wire {
  const { createdAt, updatedAt, Owner, ...fields } = row;
  return {
    ...fields,
    ...(level !== 'me' && Owner && { Owner: ownerRef(Owner) }),
    createdAt: createdAt.toISOString(),
    updatedAt: updatedAt.toISOString(),
  };
}

/** The audited fields. */
export const audited = ({ title, type, sender, text, group, mccmnc }: Pattern): object => ({
  title,
  type,
  sender,
  text,
  group,
  mccmnc,
});
