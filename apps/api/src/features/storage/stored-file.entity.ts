import type { StoredFile as Wire } from '@heliograph/contract';
import { Column, CreateDateColumn, Entity, PrimaryColumn, UpdateDateColumn } from 'typeorm';
import { extname } from 'node:path';

@Entity('files')
export class StoredFile {
  @PrimaryColumn('uuid', { default: () => 'uuidv7()' }) id: string;
  @Column('uuid') OwnerId: string;
  @Column('text') title: string;
  @Column('text') filename: string;
  @Column('text') type: string;
  @Column('integer') size: number;
  @Column('text') hash: string;
  /** Of audio: how long it plays; null when that is not known. */
  @Column('integer', { nullable: true }) seconds: number | null;
  @Column('boolean', { default: false }) isPublic: boolean;
  /** How many sendings and tasks still need it. Never written from a row that was read earlier. */
  @Column({ type: 'integer', default: 0, insert: false, update: false }) locks: number;
  @Column('timestamptz', { nullable: true }) expiredAt: Date | null;
  @CreateDateColumn({ type: 'timestamptz' }) createdAt: Date;
  @UpdateDateColumn({ type: 'timestamptz' }) updatedAt: Date;
}

export function present(row: StoredFile): Wire {
  return {
    id: row.id,
    key: row.id,
    title: row.title,
    filename: row.filename,
    type: row.type,
    size: row.size,
    hash: row.hash,
    seconds: row.seconds,
    isPublic: row.isPublic,
    expiredAt: row.expiredAt?.toISOString() ?? null,
    locks: row.locks,
    OwnerId: row.OwnerId,
    createdAt: row.createdAt.toISOString(),
    updatedAt: row.updatedAt.toISOString(),
  };
}

/** The title, which may have been changed, with the extension that the file came with. */
export function downloadName({ title, filename }: StoredFile): string {
  const extension = extname(filename);
  return title.toLowerCase().endsWith(extension.toLowerCase()) ? title : title + extension;
}
