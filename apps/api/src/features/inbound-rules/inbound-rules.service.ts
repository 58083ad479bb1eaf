import { Injectable, type OnModuleInit } from '@nestjs/common';
import {
  inboundRuleIssues,
  ruleActionNeeds,
  type InboundTrialResult,
  type inboundRules,
} from '@heliograph/contract';
import {
  carrierPhone,
  compileText,
  createInboundMatcher,
  inboundHold,
  normalizeEmail,
  typeCode,
  UNSUBSCRIBE_VARIABLE,
  type InboundAction,
  type InboundHold,
} from '@heliograph/domain';
import { Audit } from '../../core/audit/audit.ts';
import { ActingTokens } from '../../core/auth/acting-tokens.ts';
import { ownScope, requireAll, systemScope, type Actor } from '../../core/auth/actor.ts';
import { Owners } from '../../core/auth/owners.ts';
import { changesOf } from '../../core/changes.ts';
import { Config } from '../../core/config.ts';
import { Db } from '../../core/db/db.ts';
import { AppError, assertFound, invalid } from '../../core/errors.ts';
import { Events } from '../../core/events/events.ts';
import type { In } from '../../core/http/endpoint.ts';
import { Quotas } from '../../core/quotas.ts';
import { ContactListsService } from '../contact-lists/contact-lists.service.ts';
import { SendingsService } from '../sendings/sendings.service.ts';
import { SuppressionsService } from '../suppressions/suppressions.service.ts';
import { WebhooksService } from '../webhooks/webhooks.service.ts';
import { audited, present, type InboundRule } from './inbound-rule.entity.ts';
import { InboundRepliesService, type Incoming } from './inbound-replies.service.ts';
import { INBOUND_RULES_QUOTA, InboundRulesStore } from './inbound-rules.store.ts';

type Input = In<typeof inboundRules.create>['body'];
type Changes = In<typeof inboundRules.update>['body'];
type Trial = In<typeof inboundRules.try>['body'];

/** The webhooks that rules give messages to subscribe to it. */
export const MATCHED_EVENT = 'inboundRules.matched';
/** The person of a trial without one: nothing was ever sent to it. */
const NOBODY = '+00000000000';

/** Fields of a rule that refer to what can be removed. */
const TARGETS = ['WebhookId', 'ListId'];

/** What happens to incoming messages of an account: its rules, and a trial of them. */
@Injectable()
export class InboundRulesService implements OnModuleInit {
  constructor(
    private readonly db: Db,
    private readonly store: InboundRulesStore,
    private readonly config: Config,
    private readonly owners: Owners,
    private readonly events: Events,
    private readonly audit: Audit,
    private readonly quotas: Quotas,
    private readonly webhooks: WebhooksService,
    private readonly lists: ContactListsService,
    private readonly replies: InboundRepliesService,
    private readonly sendings: SendingsService,
    private readonly suppressions: SuppressionsService,
    private readonly tokens: ActingTokens,
  ) {}

  onModuleInit(): void {
    this.events.present(
      'inboundRules',
      async (ids) => this.owners.withOwners('manager', await this.store.byIds(systemScope, ids)),
      present,
    );
  }

  create(actor: Actor, input: Input): Promise<InboundRule> {
    const { OwnerId, tokenId: TokenId } = actor;
    return this.db.transaction(async () => {
      requireActions(actor, input);
      await this.checkTargets(OwnerId, input);
      const position = await this.store.nextPosition(OwnerId);
      const row = await this.store.create({ ...input, OwnerId, TokenId, position });
      await this.quotas.check(INBOUND_RULES_QUOTA, OwnerId);
      await this.record('created', row, { after: audited(row) });
      return row;
    });
  }

  /** What a rule whose webhook or list was removed does besides can still be changed. */
  update(actor: Actor, id: string, changes: Changes): Promise<InboundRule> {
    return this.db.transaction(async () => {
      const row = await this.store.lock(actor.scope, id);
      const before = audited(row);
      const own = changesOf(row, changes);
      const isKept = (field: string) =>
        TARGETS.includes(field) && !(field in own) && !('actions' in own);
      const [issue] = inboundRuleIssues({ ...row, ...own }).filter(({ field }) => !isKept(field));
      if (issue) throw invalid(issue.field, issue.rule, issue.message);
      requireActions(actor, { ...row, ...own });
      await this.checkTargets(row.OwnerId, { ...row, ...own }, isKept);
      const values = { ...changes, TokenId: actor.tokenId };
      const changed = await this.store.update(actor.scope, id, values);
      await this.record('updated', changed, { before, after: audited(changed) });
      return changed;
    });
  }

  remove(actor: Actor, id: string): Promise<{ id: string }> {
    return this.db.transaction(async () => {
      const row = await this.store.remove(actor.scope, id);
      await this.record('removed', { ...row, id }, { before: audited(row) });
      return { id };
    });
  }

  /**
   * Of the actor's own account. `order` has all of its rules, so that nobody's new rule is moved unseen. Which rule comes first decides what
   * is done with a message: it needs what all of them do.
   */
  reorder(actor: Actor, order: string[]): Promise<InboundRule[]> {
    const { OwnerId } = actor;
    return this.db.transaction(async () => {
      const rows = await this.store.ofOwner(OwnerId);
      const ids = order.map((id) => id.toLowerCase());
      assertFound('Inbound rule', ids, rows);
      if (ids.length !== rows.length || new Set(ids).size !== ids.length)
        throw new AppError('conflict', 'The rules have changed meanwhile. Load them again.');
      if (rows.some(({ id }, i) => id !== ids[i]))
        for (const rule of rows) requireActions(actor, rule);
      await this.store.reorder(OwnerId, ids);
      const before = rows.map(({ id }) => id);
      await this.audit.record({
        OwnerId,
        target: ['users', OwnerId],
        before: { rules: before },
        after: { rules: ids },
      });
      for (const id of ids) this.events.changed('inboundRules', 'updated', OwnerId, id);
      return this.store.ofOwner(OwnerId);
    });
  }

  /** What would happen to a message now. Nothing is written. */
  async try({ OwnerId }: Actor, trial: Trial): Promise<InboundTrialResult> {
    const { type, to, text } = trial;
    const [optOut] = await this.suppressions.requestsIn([{ OwnerId, text }]);
    if (optOut) return { optOut, matches: [] };
    const rules = await this.store.ofOwner(OwnerId, { isActive: true });
    const from = trial.from
      ? (normalizeEmail(trial.from) ?? carrierPhone(trial.from) ?? trial.from)
      : NOBODY;
    const message: Incoming = { type, code: typeCode(type), from, to, text, tokenId: null };
    const matches = createInboundMatcher(rules)(message);
    const replying = matches.filter(({ actions }) => actions.includes('reply'));
    const holds = await this.replies.holds(
      OwnerId,
      replying.map((rule) => ({ rule, message })),
    );
    const refusal = replying.length ? await this.sendings.refusalOf(OwnerId, type, to) : null;
    const webhooks = await this.enabledWebhooks(OwnerId, matches);
    const mayAct = await this.tokens.of(matches);
    const holdOf = (rule: InboundRule, action: InboundAction): InboundHold | null => {
      if (!mayAct(rule, ruleActionNeeds(action, rule.listChange))) return 'forbidden';
      if (action === 'reply') {
        const hold = holds[replying.indexOf(rule)] ?? null;
        return hold ?? (refusal && inboundHold(refusal));
      }
      if (action === 'webhook') return webhooks.has(rule.WebhookId!) ? null : 'webhook_off';
      return action === 'list' && !rule.ListId ? 'list_missing' : null;
    };
    return {
      optOut: null,
      matches: matches.map((rule) => ({
        id: rule.id,
        title: rule.title,
        actions: rule.actions.map((action) => ({ action, hold: holdOf(rule, action) })),
        replyText: rule.actions.includes('reply') ? this.rendered(rule, trial.from && from) : null,
      })),
    };
  }

  /** The webhooks of rules to which messages can be given. */
  enabledWebhooks(OwnerId: string, rules: InboundRule[]): Promise<Set<string>> {
    const ids = rules.flatMap(({ actions, WebhookId }) =>
      actions.includes('webhook') && WebhookId ? [WebhookId] : [],
    );
    return this.webhooks.enabled(OwnerId, MATCHED_EVENT, ids);
  }

  private rendered({ replyText }: InboundRule, from: string | null | undefined): string | null {
    return compileText(replyText!).render({
      [from?.includes('@') ? 'email' : 'phone']: from,
      [UNSUBSCRIBE_VARIABLE]: `${this.config.publicUrl}/u/…`,
    });
  }

  /** The webhook and the list belong to the account of the rule, also those that no action uses yet. */
  private async checkTargets(
    OwnerId: string,
    { actions, WebhookId, ListId }: Pick<InboundRule, 'actions' | 'WebhookId' | 'ListId'>,
    isKept: (field: string) => boolean = () => false,
  ): Promise<void> {
    if ((actions.includes('webhook') || WebhookId) && !isKept('WebhookId')) {
      const enabled = await this.webhooks.enabled(OwnerId, MATCHED_EVENT, [WebhookId!]);
      if (!enabled.size)
        throw invalid(
          'WebhookId',
          'inbound_webhook',
          `This is not an enabled webhook of the account for the event ${MATCHED_EVENT}.`,
        );
    }
    if ((actions.includes('list') || ListId) && !isKept('ListId'))
      await this.lists.get(ownScope(OwnerId), ListId!).catch(() => {
        throw invalid('ListId', 'inbound_list', 'This is not a contact list of the account.');
      });
  }

  private async record(
    change: 'created' | 'updated' | 'removed',
    { OwnerId, id }: InboundRule,
    states: { before?: object; after?: object },
  ): Promise<void> {
    await this.audit.record({ OwnerId, target: ['inboundRules', id], ...states });
    this.events.changed('inboundRules', change, OwnerId, id);
  }
}

/** A caller that has a rule do something is allowed to do it. */
function requireActions(
  actor: Actor,
  { actions, listChange }: Pick<InboundRule, 'actions' | 'listChange'>,
): void {
  for (const action of actions) requireAll(actor, ruleActionNeeds(action, listChange));
}
