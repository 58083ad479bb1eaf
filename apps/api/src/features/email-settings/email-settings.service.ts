import { Injectable } from '@nestjs/common';
import type { EmailSettings, emailSettings } from '@heliograph/contract';
import { Audit } from '../../core/audit/audit.ts';
import type { Actor } from '../../core/auth/actor.ts';
import { Db } from '../../core/db/db.ts';
import type { In } from '../../core/http/endpoint.ts';
import { EmailSettingsStore, type Values } from './email-settings.store.ts';

const DEFAULTS: Values = { tellsOpened: false };

/** How the e-mails of accounts are sent. */
@Injectable()
export class EmailSettingsService {
  constructor(
    private readonly db: Db,
    private readonly store: EmailSettingsStore,
    private readonly audit: Audit,
  ) {}

  /** Those of the accounts that are told which of their e-mails are opened, as they are set now. */
  async tellingOpened(OwnerIds: Iterable<string>): Promise<ReadonlySet<string>> {
    return new Set(await this.store.tellingOpened([...new Set(OwnerIds)]));
  }

  async get({ scope, OwnerId: own }: Actor, OwnerId = own): Promise<EmailSettings> {
    return { OwnerId, ...((await this.store.get(scope, OwnerId)) ?? DEFAULTS) };
  }

  update(actor: Actor, given: In<typeof emailSettings.update>['body']): Promise<EmailSettings> {
    const { OwnerId } = actor;
    return this.db.transaction(async () => {
      await this.store.lock(OwnerId);
      const before = await this.get(actor);
      await this.store.set(OwnerId, given);
      const after = await this.get(actor);
      await this.audit.record({ OwnerId, target: ['users', OwnerId], before, after });
      return after;
    });
  }
}
