import type { Segment as Wire, SegmentRules } from '@heliograph/contract';
import { Column, CreateDateColumn, Entity, PrimaryColumn, UpdateDateColumn } from 'typeorm';

@Entity('segments')
export class Segment implements SegmentRules {
  @PrimaryColumn('uuid', { default: () => 'uuidv7()' }) id: string;
  @Column('uuid') OwnerId: string;
  @Column('text') title: string;
  @Column('jsonb', { default: {} }) where: SegmentRules['where'];
  @Column('jsonb', { default: [] }) activity: SegmentRules['activity'];
  @CreateDateColumn({ type: 'timestamptz' }) createdAt: Date;
  @UpdateDateColumn({ type: 'timestamptz' }) updatedAt: Date;
}

export function present(row: Segment): Wire {
  return {
    id: row.id,
    title: row.title,
    where: row.where,
    activity: row.activity,
    OwnerId: row.OwnerId,
    createdAt: row.createdAt.toISOString(),
    updatedAt: row.updatedAt.toISOString(),
  };
}
