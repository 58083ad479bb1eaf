import type { Visit as Wire } from '@heliograph/contract';
import { Column, Entity, PrimaryColumn } from 'typeorm';
import type { Actor } from '../../core/auth/actor.ts';
import { clientOf } from '../../core/http/user-agent.ts';
import { uuidTime } from '../../core/uuid.ts';

@Entity('visits')
export class Visit {
  @PrimaryColumn('uuid', { default: () => 'uuidv7()' }) id: string;
  @Column('uuid') UserId: string;
  @Column('uuid') OwnerId: string;
  @Column('text') ip: string;
  @Column('text') action: string;
  @Column('text') useragent: string;
  @Column('jsonb', { default: {} }) data: Wire['data'];
}

type Reader = Pick<Actor, 'level'> & Partial<Pick<Actor, 'userId' | 'actorId'>>;

/** The client of an impersonator is not shown to the account, as in the audit log. */
export function present(row: Visit, reader: Reader): Wire {
  const { actorId } = row.data;
  const isKnown =
    !actorId || reader.level === 'manager' || [reader.userId, reader.actorId].includes(actorId);
  const { browser, system } = clientOf(isKnown ? row.useragent : '');
  return {
    id: row.id,
    ip: isKnown ? row.ip : null,
    action: row.action,
    useragent: isKnown ? row.useragent : null,
    browser,
    system,
    data: row.data,
    OwnerId: row.OwnerId,
    UserId: row.UserId,
    createdAt: uuidTime(row.id).toISOString(),
  };
}
