import { Injectable } from '@nestjs/common';
import type { messageRuleGroups, MessageRuleGroup as Wire } from '@heliograph/contract';
import { Owners } from '../../core/auth/owners.ts';
import { Audit } from '../../core/audit/audit.ts';
import { Db } from '../../core/db/db.ts';
import { Events } from '../../core/events/events.ts';
import type { In } from '../../core/http/endpoint.ts';
import { presentGroup } from './account-group.entity.ts';
import { AccountGroupsService } from './account-groups.service.ts';
import { MessageRuleGroupsStore } from './account-groups.store.ts';
import type { MessageRuleGroup } from './message-rule-group.entity.ts';

type Fields = In<typeof messageRuleGroups.create>['body'];

/** Groups with rules that apply to their accounts in addition to their own settings (`SettingsService.ofAccount`). */
@Injectable()
export class MessageRuleGroupsService extends AccountGroupsService<MessageRuleGroup, Fields, Wire> {
  protected readonly noun = 'messageRuleGroups';

  constructor(db: Db, store: MessageRuleGroupsStore, owners: Owners, audit: Audit, events: Events) {
    super(db, store, owners, audit, events);
  }

  protected present(row: MessageRuleGroup): Wire {
    return { ...presentGroup(row), rules: row.rules };
  }

  protected audited({ title, rules }: MessageRuleGroup): Fields {
    return { title, rules };
  }

  protected check(): Promise<void> {
    return Promise.resolve();
  }

  protected override merged(before: Fields, { rules, ...changes }: Partial<Fields>): Fields {
    const all = Object.entries({ ...before.rules, ...rules });
    return { ...before, ...changes, rules: Object.fromEntries(all.filter(([, rule]) => rule)) };
  }
}
