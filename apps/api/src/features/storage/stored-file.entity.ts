import type { Permission, StoredFile as Wire } from '@heliograph/contract';
import { Column, CreateDateColumn, Entity, PrimaryColumn, UpdateDateColumn } from 'typeorm';
import { extname } from 'node:path';
import type { ContentFacts } from './read-facts.ts';

@Entity('files')
export class StoredFile {
  @PrimaryColumn('uuid', { default: () => 'uuidv7()' }) id: string;
  /** The name of the contents in the store if it is not the id. */
  @Column('uuid', { nullable: true }) contentsId: string | null;
  @Column('uuid') OwnerId: string;
  /** What its reader may read, besides files: that of the rows it was made of. Null for a file that was uploaded. */
  @Column('text', { nullable: true }) permission: Permission | null;
  @Column('text') title: string;
  @Column('text') filename: string;
  @Column('text') type: string;
  @Column('integer') size: number;
  @Column('text') hash: string;
  /** Duration of audio; null if unknown. */
  @Column('integer', { nullable: true }) seconds: number | null;
  @Column('jsonb', { default: {} }) meta: ContentFacts;
  @Column('boolean', { default: false }) isPublic: boolean;
  /** The secret part of a public file's URL; null if it is not public. */
  @Column('text', { nullable: true }) publicKey: string | null;
  @Column('timestamptz', { nullable: true }) expiredAt: Date | null;
  @CreateDateColumn({ type: 'timestamptz' }) createdAt: Date;
  @UpdateDateColumn({ type: 'timestamptz' }) updatedAt: Date;
}

/** The name of the contents of a file in the store. */
export const contentsOf = ({ contentsId, id }: Pick<StoredFile, 'id' | 'contentsId'>): string =>
  contentsId ?? id;

/** With the number of unfinished tasks and messages that reference it. */
export type LockedFile = StoredFile & { locks: number };

/** `publicUrl` is the URL of the installation. */
export function present(row: LockedFile, publicUrl: string): Wire {
  return {
    id: row.id,
    key: row.id,
    title: row.title,
    filename: row.filename,
    type: row.type,
    size: row.size,
    hash: row.hash,
    seconds: row.seconds,
    meta: { ...row.meta, ...(row.seconds !== null && { duration: row.seconds }) },
    isPublic: row.isPublic,
    url: row.publicKey && `${publicUrl}/api/storage/public/${row.publicKey}`,
    expiredAt: row.expiredAt?.toISOString() ?? null,
    locks: row.locks,
    OwnerId: row.OwnerId,
    createdAt: row.createdAt.toISOString(),
    updatedAt: row.updatedAt.toISOString(),
  };
}

/** The title, which may have been changed, with the original extension. */
export function downloadName({ title: given, filename }: StoredFile): string {
  const extension = extname(filename);
  // A title may have slashes, which would be taken for a path.
  const title = given.replace(/[\\/]/g, '_');
  return title.toLowerCase().endsWith(extension.toLowerCase()) ? title : title + extension;
}
