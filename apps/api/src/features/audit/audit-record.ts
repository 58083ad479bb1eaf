import type { AuditRecord } from '@heliograph/contract';
import type { Actor } from '../../core/auth/actor.ts';
import type { AuditLogRow } from './audit.store.ts';

/** From where a superior works is not told to the accounts that it looks after. */
export function presentRecord(row: AuditLogRow, reader: Actor): AuditRecord {
  const { targetType, targetId, actorOwnerId, Owner, createdAt, ...record } = row;
  const isKnown =
    reader.level === 'manager' || [null, row.OwnerId, reader.OwnerId].includes(actorOwnerId);
  return {
    ...record,
    ...(reader.level !== 'me' && { Owner }),
    ...(!isKnown && { ip: null, useragent: null }),
    target: targetType === null ? null : { type: targetType, id: targetId },
    createdAt: createdAt.toISOString(),
  };
}
