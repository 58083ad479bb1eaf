import { Injectable } from '@nestjs/common';
import type { SystemAudience, SystemMessageInput } from '@heliograph/contract';
import { parseRichText, plainRichText, renderRichText } from '@heliograph/domain';
import { Audit } from '../../core/audit/audit.ts';
import { refuseImpersonated, type Actor } from '../../core/auth/actor.ts';
import { Clock } from '../../core/clock.ts';
import { Db } from '../../core/db/db.ts';
import { AppError, invalid, notFound } from '../../core/errors.ts';
import { uuidv7 } from '../../core/uuid.ts';
import { BroadcastsService } from './broadcasts.service.ts';
import type { BroadcastAudience } from './broadcasts.store.ts';
import type { SystemMessage } from './system-message.entity.ts';
import { SystemMessagesStore } from './system-messages.store.ts';

/** Managers notify their accounts, administrators all. */
@Injectable()
export class SystemMessagesService {
  constructor(
    private readonly db: Db,
    private readonly store: SystemMessagesStore,
    private readonly broadcasts: BroadcastsService,
    private readonly audit: Audit,
    private readonly clock: Clock,
  ) {}

  async create(actor: Actor, input: SystemMessageInput): Promise<SystemMessage> {
    refuseImpersonated(actor);
    // What is stored is the parsed text: markup outside of the subset does not get further than this line.
    const nodes = parseRichText(input.text);
    if (!plainRichText(nodes)) throw invalid('text', 'too_small', 'The text is empty.');
    const { type, title, audience } = input;
    const operator = input.operator || null;
    const text = renderRichText(nodes);
    const recipients = await this.recipientsOf(actor, audience);
    const now = this.clock.now();
    const id = uuidv7(now);
    return this.db.transaction(async () => {
      const { OwnerId, userId: UserId } = actor;
      const data = { message: id, title, text, ...(operator && { operator }) };
      await this.broadcasts.start({ id, type, data }, recipients);
      const at = { createdAt: now, updatedAt: now };
      const row = { id, OwnerId, UserId, type, title, text, operator, audience, ...at };
      await this.store.create(row);
      await this.audit.record({ target: ['systemMessages', id], after: { type, title, audience } });
      return this.store.get(actor.scope, id);
    });
  }

  /** Never more than the accounts that the manager has access to. */
  private async recipientsOf(actor: Actor, audience: SystemAudience): Promise<BroadcastAudience> {
    const isForAll = actor.scope.kind === 'all';
    const within = isForAll ? {} : { managerId: actor.userId };
    switch (audience.to) {
      case 'all':
        if (!isForAll)
          throw new AppError('forbidden', 'Only administrators can notify all accounts');
        return {};
      case 'own':
        return { managerId: actor.userId };
      case 'level':
        return { ...within, level: audience.level };
      case 'accounts': {
        const accounts = [...new Set(audience.accounts.map((id) => id.toLowerCase()))];
        const found = await this.store.accountsWithin(actor.scope, accounts);
        if (found.length < accounts.length) throw notFound();
        return { accounts };
      }
    }
  }
}
