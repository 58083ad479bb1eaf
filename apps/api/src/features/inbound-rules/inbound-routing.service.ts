import { Injectable, type OnModuleInit } from '@nestjs/common';
import {
  createInboundMatcher,
  inboundHold,
  isPersonAddress,
  typeOf,
  type InboundAction,
  type InboundHold,
} from '@heliograph/domain';
import { ruleActionNeeds, ruleEffect } from '@heliograph/contract';
import { ActingTokens } from '../../core/auth/acting-tokens.ts';
import { Clock } from '../../core/clock.ts';
import { Db } from '../../core/db/db.ts';
import { Events } from '../../core/events/events.ts';
import { Sweeps } from '../../core/jobs/handlers.ts';
import { Log } from '../../core/log.ts';
import { Notifications } from '../../core/notifications.ts';
import { Outbox, type StoredEvent } from '../../core/outbox.ts';
import { Shutdown } from '../../core/shutdown.ts';
import { Slices } from '../../core/slices.ts';
import { AutomationsService } from '../automations/automations.service.ts';
import { AutoRepliesService } from '../auto-replies/auto-replies.service.ts';
import { ContactListsService } from '../contact-lists/contact-lists.service.ts';
import { ContactsService } from '../contacts/contacts.service.ts';
import { ConversationsService } from '../conversations/conversations.service.ts';
import {
  IncomingService,
  type QueuedMessage,
} from '../sendings-incoming/sendings-incoming.service.ts';
import type { InboundRule } from './inbound-rule.entity.ts';
import { InboundRepliesService, type Incoming } from './inbound-replies.service.ts';
import { InboundRulesService, MATCHED_EVENT } from './inbound-rules.service.ts';
import { InboundRulesStore, type RuleCounts } from './inbound-rules.store.ts';

interface Message extends Incoming, Pick<QueuedMessage, 'allowed'> {
  id: string;
}
interface Match {
  rule: InboundRule;
  message: Message;
}

const BATCH_SIZE = 500;
const NOTIFY_INTERVAL_MS = 60_000;

/** Applies the rules of accounts to their incoming messages, which wait in a queue: in batches, each in one transaction. */
@Injectable()
export class InboundRoutingService implements OnModuleInit {
  constructor(
    private readonly db: Db,
    private readonly log: Log,
    private readonly clock: Clock,
    private readonly slices: Slices,
    private readonly shutdown: Shutdown,
    private readonly store: InboundRulesStore,
    private readonly rules: InboundRulesService,
    private readonly replies: InboundRepliesService,
    private readonly autoReplies: AutoRepliesService,
    private readonly automations: AutomationsService,
    private readonly incoming: IncomingService,
    private readonly lists: ContactListsService,
    private readonly contacts: ContactsService,
    private readonly conversations: ConversationsService,
    private readonly outbox: Outbox,
    private readonly notifications: Notifications,
    private readonly events: Events,
    private readonly tokens: ActingTokens,
  ) {}

  onModuleInit(): void {
    this.outbox.complete(MATCHED_EVENT, (_, events) => this.eventData(events));
  }

  /** True when there may be more. */
  @Sweeps(500)
  async route(): Promise<boolean> {
    let isMore = false;
    for (const OwnerId of await this.incoming.queuedOwners()) {
      if (this.shutdown.isStopping) return false;
      isMore = (await this.routeOf(OwnerId)) || isMore;
    }
    return isMore;
  }

  @Sweeps(1000)
  async countReplies(): Promise<void> {
    await this.db.transaction(async () => {
      const counts = new Counts();
      for (const taken of await this.autoReplies.takeOutcomes()) {
        const { OwnerId, RuleId, outcome, count } = taken;
        if (outcome === 'sent') counts.of(RuleId).replies += count;
        else {
          counts.hold(RuleId, inboundHold(outcome), count);
          await this.replies.refused(taken);
        }
        this.events.changed('inboundRules', 'updated', OwnerId, RuleId);
      }
      await this.write(counts);
    });
  }

  /** At most once a minute for each rule, however many messages come. */
  @Sweeps(1000)
  async notifyWaiting(): Promise<void> {
    const now = this.clock.now();
    await this.db.transaction(async () => {
      const since = new Date(now.getTime() - NOTIFY_INTERVAL_MS);
      const due = await this.store.takeUnnotified(since, now);
      await this.notifications.notifyAll(
        'InboundTask',
        due.map(({ id, OwnerId, title, count }) => ({ OwnerId, data: { id, title, count } })),
      );
    });
  }

  /** True when the account may have more. After a failure messages are handled one by one. */
  private async routeOf(OwnerId: string): Promise<boolean> {
    try {
      return (await this.routeNext(OwnerId, BATCH_SIZE)) === BATCH_SIZE;
    } catch (error) {
      this.log.warn({ err: error, OwnerId }, 'Incoming messages are routed one by one.');
    }
    for (let i = 0; i < BATCH_SIZE && !this.shutdown.isStopping; i++)
      try {
        if (!(await this.routeNext(OwnerId, 1))) return false;
      } catch (error) {
        if (await this.incoming.postponeQueued(OwnerId)) return true;
        this.log.error({ err: error, OwnerId }, 'An incoming message was not routed.');
      }
    return true;
  }

  private routeNext(OwnerId: string, limit: number): Promise<number> {
    return this.db.transaction(async () => {
      const messages = (await this.incoming.takeQueued(OwnerId, limit)).map(messageOf);
      const rules = messages.length ? await this.store.ofOwner(OwnerId, { isActive: true }) : [];
      const matches: Match[] = [];
      const match = createInboundMatcher(rules);
      await this.slices.forEach(messages, (message) => {
        for (const rule of match(message)) matches.push({ rule, message });
      });
      if (matches.length) await this.apply(OwnerId, matches);
      await this.automations.heard(OwnerId, messages);
      return messages.length;
    });
  }

  private async apply(OwnerId: string, matches: Match[]): Promise<void> {
    const counts = new Counts();
    for (const { rule } of matches) counts.of(rule.id).matched++;
    const mayAct = await this.tokens.of(matches.map(({ rule }) => rule));
    const permitted = (action: InboundAction) =>
      matches.filter(({ rule, message: { allowed } }) => {
        if (!rule.actions.includes(action)) return false;
        const { listChange } = rule;
        const isPermitted =
          mayAct(rule, ruleActionNeeds(action, listChange)) &&
          (!allowed || allowed.includes(ruleEffect(action, listChange)));
        if (!isPermitted) counts.hold(rule.id, 'forbidden', 1);
        return isPermitted;
      });
    const replying = permitted('reply');
    const holds = await this.replies.send(OwnerId, replying);
    replying.forEach(({ rule }, i) => holds[i] && counts.hold(rule.id, holds[i], 1));
    await this.callWebhooks(OwnerId, permitted('webhook'), counts);
    await this.changeLists(OwnerId, permitted('list'), counts);
    const tasks = permitted('task');
    for (const { rule } of tasks) counts.of(rule.id).tasks++;
    if (tasks.length)
      await this.conversations.markWaiting(
        OwnerId,
        tasks.map(({ message }) => message.from),
      );
    await this.write(counts);
    for (const id of counts.byRule.keys())
      this.events.changed('inboundRules', 'updated', OwnerId, id);
  }

  private async callWebhooks(OwnerId: string, matches: Match[], counts: Counts): Promise<void> {
    if (!matches.length) return;
    const rules = [...new Set(matches.map(({ rule }) => rule))];
    const enabled = await this.rules.enabledWebhooks(OwnerId, rules);
    const events = matches.flatMap(({ rule, message }) => {
      const WebhookId = rule.WebhookId;
      if (!WebhookId || !enabled.has(WebhookId)) {
        counts.hold(rule.id, 'webhook_off', 1);
        return [];
      }
      const data = { rule: { id: rule.id, title: rule.title } };
      return [{ OwnerId, key: message.id, data, WebhookId }];
    });
    if (events.length) await this.outbox.add(MATCHED_EVENT, events);
  }

  /** Lists are locked in the order of their ids, which avoids deadlocks. */
  private async changeLists(OwnerId: string, matches: Match[], counts: Counts): Promise<void> {
    const byRule = Map.groupBy(matches, ({ rule }) => rule);
    // The last message of a person decides, whatever the order of the rules.
    const keyOf = ({ rule, message }: Match) => `${rule.ListId} ${message.from}`;
    const last = new Map(matches.map((match) => [keyOf(match), match.rule.listChange]));
    const isLast = (match: Match) =>
      !match.rule.ListId || last.get(keyOf(match)) === match.rule.listChange;
    const rules = [...byRule.keys()].sort((a, b) => (a.ListId! < b.ListId! ? -1 : 1));
    for (const rule of rules) {
      const all = byRule.get(rule)!;
      const ofPersons = all.filter(({ message }) => isPersonAddress(message.from));
      if (ofPersons.length < all.length)
        counts.hold(rule.id, 'no_address', all.length - ofPersons.length);
      const addresses = ofPersons.filter(isLast).map(({ message }) => message.from);
      const hold = await this.changeList(OwnerId, rule, [...new Set(addresses)]);
      if (hold) counts.hold(rule.id, hold, addresses.length);
    }
  }

  private async changeList(
    OwnerId: string,
    { ListId, listChange }: InboundRule,
    addresses: string[],
  ): Promise<InboundHold | null> {
    if (!ListId) return 'list_missing';
    if (!addresses.length) return null;
    if (listChange === 'remove')
      return (await this.contacts.removeAddresses(OwnerId, ListId, addresses))
        ? null
        : 'list_missing';
    const room = await this.lists.room(OwnerId);
    if (room !== null && room < addresses.length) return 'list_full';
    return (await this.contacts.addAddresses(OwnerId, ListId, addresses)) ? null : 'list_missing';
  }

  private async write({ byRule }: Counts): Promise<void> {
    if (byRule.size) await this.store.count(byRule, this.clock.now());
  }

  /** The message is read when the event is delivered, so that an erased person is erased here, too. */
  private async eventData(events: StoredEvent[]): Promise<(Record<string, unknown> | null)[]> {
    const messages = await this.incoming.eventData(events);
    return messages.map((message, i) => message && { ...message, ...events[i]!.data });
  }
}

/** What a batch adds to the counters of rules. */
class Counts {
  readonly byRule = new Map<string, RuleCounts>();

  of(RuleId: string): RuleCounts {
    let counts = this.byRule.get(RuleId);
    if (!counts)
      this.byRule.set(
        RuleId,
        (counts = { matched: 0, tasks: 0, replies: 0, held: {}, hold: null }),
      );
    return counts;
  }

  hold(RuleId: string, reason: InboundHold, count: number): void {
    const counts = this.of(RuleId);
    counts.held[reason] = (counts.held[reason] ?? 0) + count;
    counts.hold = reason;
  }
}

const messageOf = ({ row, tokenId, allowed }: QueuedMessage): Message => ({
  id: row.id,
  code: row.type,
  type: typeOf(row.type),
  from: row.from,
  to: row.to,
  text: row.payload.text ?? '',
  tokenId,
  allowed,
});
