import type { AuditRecord } from '@heliograph/contract';
import type { Actor } from '../../core/auth/actor.ts';
import type { AuditLogRow } from './audit.store.ts';

/** The client of a manager or reseller is not shown to the accounts below. */
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
