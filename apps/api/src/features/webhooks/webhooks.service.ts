import { Injectable, type OnModuleInit } from '@nestjs/common';
import { EFFECTS, type webhooks } from '@heliograph/contract';
import {
  webhookBodyError,
  webhookVariables,
  webhookVariablesIn,
  type WebhookEvent,
} from '@heliograph/domain';
import { Audit } from '../../core/audit/audit.ts';
import {
  ownScope,
  refuseImpersonated,
  requireAll,
  systemScope,
  type Actor,
} from '../../core/auth/actor.ts';
import { Owners } from '../../core/auth/owners.ts';
import { changesOf, refuseChangesOf } from '../../core/changes.ts';
import { Clock, secondsAfter } from '../../core/clock.ts';
import { Db } from '../../core/db/db.ts';
import { AppError, invalid } from '../../core/errors.ts';
import { Events } from '../../core/events/events.ts';
import type { In } from '../../core/http/endpoint.ts';
import { AddressRefused } from '../../core/http/outbound.ts';
import { KeyedEffects } from '../../core/keyed-effects.ts';
import { Outbox } from '../../core/outbox.ts';
import { Quotas } from '../../core/quotas.ts';
import { DeliveryQueueStore } from './delivery-queue.store.ts';
import { compiled } from './success.ts';
import { WebhookCaller } from './webhook-caller.ts';
import { present, type Webhook } from './webhook.entity.ts';
import { contentTypeOf } from './webhook-request.ts';
import { WebhookSecrets } from './webhook-secrets.ts';
import { WEBHOOKS_QUOTA, WebhooksStore } from './webhooks.store.ts';

type Input = In<typeof webhooks.create>['body'];
type Changes = In<typeof webhooks.update>['body'];
type WithSecret = { row: Webhook; secret: string };

/** What decides who gets the events, and how. */
const REDIRECTING = ['url', 'headers', 'body', 'method'] as const;
const DEFAULT_STATUSES = ['delivered', 'seen', 'failed'] as const;

@Injectable()
export class WebhooksService implements OnModuleInit {
  constructor(
    private readonly db: Db,
    private readonly store: WebhooksStore,
    private readonly owners: Owners,
    private readonly clock: Clock,
    private readonly quotas: Quotas,
    private readonly events: Events,
    private readonly audit: Audit,
    private readonly effects: KeyedEffects,
    private readonly outbox: Outbox,
    private readonly secrets: WebhookSecrets,
    private readonly caller: WebhookCaller,
    private readonly queue: DeliveryQueueStore,
  ) {}

  onModuleInit(): void {
    this.events.present(
      'webhooks',
      async (ids) => this.owners.withOwners('manager', await this.store.byIds(systemScope, ids)),
      present,
    );
  }

  /** Those of the webhooks to which events of a kind are delivered, or will be when they are resumed. */
  async enabled(OwnerId: string, event: WebhookEvent, ids: string[]): Promise<Set<string>> {
    const rows = ids.length ? await this.store.byIds(ownScope(OwnerId), ids) : [];
    const enabled = rows.filter((row) => row.event === event && row.state !== 'disabled');
    return new Set(enabled.map(({ id }) => id));
  }

  /** Disables all of an account that is closed, in the caller's transaction. Returns how many. */
  async disableAll(OwnerId: string): Promise<number> {
    const disabled = await this.store.disableAll(OwnerId);
    if (disabled) this.events.counted('webhooks', 'updated', OwnerId, null, disabled);
    return disabled;
  }

  /** `field` is the name of the URL in the request; `before` runs first in the transaction. */
  async create(
    actor: Actor,
    input: Input,
    field = 'url',
    before?: () => Promise<void>,
  ): Promise<WithSecret> {
    requireAll(actor, EFFECTS.webhook[input.event]);
    const { OwnerId, tokenId: TokenId } = actor;
    const headers = await this.secrets.seal(OwnerId, input.headers, {});
    const values = {
      ...input,
      ...headers,
      ...patternsOf(input),
      statuses: statusesOf(input.event, input.statuses ?? [...DEFAULT_STATUSES]),
      body: input.body ?? null,
    };
    this.check(values, field);
    await this.checkAddress(input.url, field);
    const { sealed } = await this.secrets.create(OwnerId);
    const change = async () => {
      await before?.();
      const row = await this.store.create({ ...values, OwnerId, TokenId, secret: sealed });
      await this.quotas.check(WEBHOOKS_QUOTA, OwnerId);
      const action = 'webhooks.create';
      await this.audit.record({ action, OwnerId, target: ['webhooks', row.id], after: facts(row) });
      this.events.changed('webhooks', 'created', row.OwnerId, row.id);
      return row.id;
    };
    return this.effects.run(change, async (id) => {
      const row = await this.store.get(actor.scope, id);
      return { row, secret: await this.secrets.openText(row) };
    });
  }

  /** A resumed webhook is tried at once. */
  async update(actor: Actor, id: string, { event, ...changes }: Changes): Promise<Webhook> {
    const current = await this.store.get(actor.scope, id);
    requireAll(actor, EFFECTS.webhook[current.event]);
    refuseChangesOf(current, { event });
    // The user who directs the calls gets what they report.
    const own = changesOf(current, changes);
    if (REDIRECTING.some((field) => field in own)) requireOwn(actor, current.OwnerId);
    const isMoved = changes.url !== undefined && originOf(changes.url) !== originOf(current.url);
    if (changes.url !== undefined && changes.url !== current.url)
      await this.checkAddress(changes.url);
    return this.db.transaction(async () => {
      const row = await this.store.lock(actor.scope, id);
      const { OwnerId } = row;
      // Values of headers belong to the server that they were entered for.
      const given = changes.headers ?? (isMoved ? row.headers : undefined);
      const kept = isMoved ? {} : await this.secrets.headers(row);
      const { state, statuses, headers: _, ...plain } = changes;
      const values = {
        ...plain,
        ...(given && (await this.secrets.seal(OwnerId, given, kept))),
        ...(changes.successOn !== undefined && patternsOf(changes, row.successOn)),
        ...(statuses !== undefined && {
          statuses: statusesOf(row.event, statuses ?? [...DEFAULT_STATUSES]),
        }),
        ...(state && state !== row.state && stateChange(state)),
      };
      this.check({ ...row, ...values });
      const before = facts(row);
      const changed = await this.store.update(actor.scope, id, {
        ...values,
        TokenId: actor.tokenId,
      });
      await this.audit.record({
        action: 'webhooks.update',
        OwnerId,
        target: ['webhooks', id],
        before,
        after: facts(changed),
      });
      this.events.changed('webhooks', 'updated', changed.OwnerId, changed.id);
      if (state === 'active' && row.state !== 'active') {
        await this.queue.hasten(id, this.clock.now());
        this.outbox.wake();
      }
      return changed;
    });
  }

  /**
   * Replaces the secret. Calls are signed with both until the overlap ends. Only for the account itself: a holder of the secret can sign
   * calls to its server.
   */
  async rotate(
    actor: Actor,
    id: string,
    { overlapHours }: In<typeof webhooks.rotate>['body'],
  ): Promise<WithSecret> {
    const { OwnerId, event } = await this.store.get(actor.scope, id);
    requireAll(actor, EFFECTS.webhook[event]);
    if (OwnerId !== actor.OwnerId)
      throw new AppError('forbidden', 'Only its account can replace the secret of a webhook');
    const { secret, sealed } = await this.secrets.create(OwnerId);
    return this.db.transaction(async () => {
      const row = await this.store.lock(actor.scope, id);
      const previousUntil = secondsAfter(this.clock.now(), overlapHours * 3600);
      const changed = await this.store.update(actor.scope, id, {
        secret: sealed,
        previousSecret: overlapHours ? row.secret : null,
        previousUntil: overlapHours ? previousUntil : null,
      });
      await this.audit.record({ OwnerId, target: ['webhooks', id], after: { overlapHours } });
      this.events.changed('webhooks', 'updated', changed.OwnerId, changed.id);
      return { row: changed, secret };
    });
  }

  remove(actor: Actor, id: string): Promise<{ id: string }> {
    return this.db.transaction(async () => {
      const row = await this.store.remove(actor.scope, id);
      const { OwnerId } = row;
      const action = 'webhooks.remove';
      await this.audit.record({ action, OwnerId, target: ['webhooks', id], before: facts(row) });
      this.events.changed('webhooks', 'removed', OwnerId, id);
      return { id };
    });
  }

  /** Rules over several fields. */
  private check(
    webhook: Pick<Webhook, 'event' | 'url' | 'method' | 'body' | 'batchSize' | 'headers'>,
    field = 'url',
  ): void {
    const { event, url, method, body, batchSize } = webhook;
    const known = webhookVariables(event);
    const inUrl = webhookVariablesIn(url);
    if (inUrl.some((name) => !known.includes(name)))
      throw invalid(field, 'webhook_unknown_variable', 'The URL has an unknown variable');
    if (method === 'GET' && body !== null)
      throw invalid('body', 'webhook_get', 'A GET request has no body');
    if (batchSize > 1 && (method === 'GET' || body !== null || inUrl.length))
      throw invalid(
        'batchSize',
        'webhook_batch',
        'Batches are possible for POST with the standard body and a URL without variables only',
      );
    const problem = body === null ? null : webhookBodyError(body, event, contentTypeOf(webhook));
    if (problem) {
      const isJson = problem.rule === 'webhook_json';
      const message = isJson ? 'The body is not valid JSON' : `Unknown variable ${problem.name}`;
      throw invalid('body', problem.rule, message);
    }
  }

  async checkAddress(url: string, field = 'url'): Promise<void> {
    const plain = url.replaceAll(/\{\{[^{}]{0,70}\}\}/g, 'x');
    if (!URL.canParse(plain)) throw invalid(field, 'url', 'The URL is invalid');
    try {
      await this.caller.outbound.check(plain);
    } catch (error) {
      if (!(error instanceof AddressRefused)) throw error;
      const message = 'The address of the URL does not exist or is not allowed: it must be public';
      throw invalid(field, 'webhook_address', message);
    }
  }
}

/** Only the account itself, and in a session of its own. */
function requireOwn(actor: Actor, OwnerId: string): void {
  refuseImpersonated(actor);
  if (OwnerId !== actor.OwnerId)
    throw new AppError('forbidden', 'Only its account can change where a webhook calls');
}

const originOf = (url: string): string => /^https?:\/\/[^/?#]*/i.exec(url)?.[0].toLowerCase() ?? '';

function statusesOf(event: Webhook['event'], statuses: Webhook['statuses']): Webhook['statuses'] {
  return event === 'sendings.status' ? statuses : null;
}

/** An absent pattern stays as it is. */
function patternsOf(
  { successOn }: Pick<Changes, 'successOn'>,
  before: Webhook['successOn'] = null,
): Pick<Webhook, 'successOn'> {
  const { status = null, body = null } = successOn ? { ...before, ...successOn } : {};
  for (const [name, pattern] of Object.entries({ status, body }))
    if (pattern !== null && !compiled(pattern))
      throw invalid(
        `successOn.${name}`,
        'pattern',
        'The regular expression is invalid or has too many repetitions',
      );
  return { successOn: status === null && body === null ? null : { status, body } };
}

function stateChange(state: Webhook['state']) {
  const isActive = state === 'active';
  return {
    state,
    reason: isActive ? null : ('manual' as const),
    ...(isActive && { failures: 0, failingSince: null, blockedUntil: null }),
  };
}

/** For the audit log. */
const facts = ({
  title,
  event,
  url,
  method,
  statuses,
  batchSize,
  maxConnections,
  state,
}: Webhook) => ({
  title,
  event,
  url,
  method,
  statuses,
  batchSize,
  maxConnections,
  state,
});
