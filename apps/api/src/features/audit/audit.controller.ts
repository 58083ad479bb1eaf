import { Controller } from '@nestjs/common';
import { audit, type ResponseOf } from '@heliograph/contract';
import type { Actor } from '../../core/auth/actor.ts';
import { Endpoint, Input, CurrentActor, type In } from '../../core/http/endpoint.ts';
import { presentRecord } from './audit-record.ts';
import { AuditStore } from './audit.store.ts';

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
