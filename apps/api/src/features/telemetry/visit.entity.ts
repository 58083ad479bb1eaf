import type { Visit as Wire } from '@heliograph/contract';
import { Column, Entity, PrimaryColumn } from 'typeorm';
import { uuidTime } from '../../core/uuid.ts';

@Entity('visits')
export class Visit {
  @PrimaryColumn('uuid', { default: () => 'uuidv7()' }) id: string;
  @Column('uuid') UserId: string;
  @Column('uuid') OwnerId: string;
  @Column('text') ip: string;
  @Column('text') action: string;
  @Column('text') useragent: string;
  @Column('jsonb', { default: {} }) data: Record<string, unknown>;
}

export function present(row: Visit): Wire {
  return {
    id: row.id,
    ip: row.ip,
    action: row.action,
    useragent: row.useragent,
    data: row.data,
    OwnerId: row.OwnerId,
    UserId: row.UserId,
    createdAt: uuidTime(row.id).toISOString(),
  };
}
