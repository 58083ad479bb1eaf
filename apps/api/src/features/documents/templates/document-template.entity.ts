import type { DocumentTemplate as Wire } from '@heliograph/contract';
import type { DocumentType, TemplateBlock } from '@heliograph/domain';
import { Column, CreateDateColumn, Entity, PrimaryColumn, UpdateDateColumn } from 'typeorm';

@Entity('document_templates')
export class DocumentTemplate {
  @PrimaryColumn('uuid', { default: () => 'uuidv7()' }) id: string;
  /** That of the company. */
  @Column('uuid', { nullable: true }) OwnerId: string | null;
  @Column('uuid') CompanyId: string;
  @Column('text') type: DocumentType;
  @Column('text') title: string;
  @Column('jsonb') blocks: TemplateBlock[];
  @Column('boolean', { default: true }) isActive: boolean;
  @CreateDateColumn({ type: 'timestamptz' }) createdAt: Date;
  @UpdateDateColumn({ type: 'timestamptz' }) updatedAt: Date;
}

export type DocumentTemplateRow = DocumentTemplate & { company: { id: string; title: string } };

export function present(row: DocumentTemplateRow): Wire {
  return {
    id: row.id,
    title: row.title,
    type: row.type,
    blocks: row.blocks,
    isActive: row.isActive,
    CompanyId: row.CompanyId,
    company: row.company,
    OwnerId: row.OwnerId,
    createdAt: row.createdAt.toISOString(),
    updatedAt: row.updatedAt.toISOString(),
  };
}
