import type { Link as Wire } from '@heliograph/contract';
import { Column, CreateDateColumn, Entity, PrimaryColumn } from 'typeorm';
import { uuidTime } from '../../core/uuid.ts';

@Entity('links')
export class Link {
  @PrimaryColumn('uuid', { default: () => 'uuidv7()' }) id: string;
  @Column('uuid') OwnerId: string;
  @Column('text') url: string;
  /** Of our own; null when another service answers the link. */
  @Column('text', { nullable: true }) code: string | null;
  /** The short link at that service. */
  @Column('text', { nullable: true }) external: string | null;
  @Column('integer', { default: 0 }) clicks: number;
  /** Visits that are not clicks: link previews, scanners, pages loaded in advance. */
  @Column('integer', { default: 0 }) previews: number;
  @Column('timestamptz', { nullable: true }) clickedAt: Date | null;
  @CreateDateColumn({ type: 'timestamptz' }) createdAt: Date;
}

/** `base` is where our own codes are answered. */
export function present(row: Link, base: string): Wire {
  return {
    id: row.id,
    url: row.url,
    shortUrl: row.external ?? `${base}/${row.code}`,
    clicks: row.code === null ? null : row.clicks,
    previews: row.code === null ? null : row.previews,
    clickedAt: row.clickedAt?.toISOString() ?? null,
    OwnerId: row.OwnerId,
    createdAt: uuidTime(row.id).toISOString(),
  };
}
