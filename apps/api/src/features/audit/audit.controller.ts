import { audit, type ResponseOf, type AuditRecord } from '@heliograph/contract';
import { Controller } from '@nestjs/common';
import type { Actor } from '../../core/auth/actor.ts';
import { Endpoint, Input, CurrentActor, type In } from '../../core/http/endpoint.ts';
import { AuditStore, type AuditLogRow } from './audit.store.ts';

@Controller()
export class AuditController {
  constructor(private readonly store: AuditStore) {}

  @Endpoint(audit.find)
  async find(
    @CurrentActor() actor: Actor,
    @Input() { query }: In<typeof audit.find>,
  ): Promise<ResponseOf<typeof audit.find>> {
    const page = await this.store.find(actor.scope, query);
    return { ...page, data: page.data.map((row) => presentRecord(row, actor)) };
  }
}

/** The client of a manager or reseller is not shown to the accounts below. */
function presentRecord(row: AuditLogRow, reader: Actor): AuditRecord {
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
