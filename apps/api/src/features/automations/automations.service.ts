import { isDeepStrictEqual } from 'node:util';
import { Injectable, type OnModuleInit } from '@nestjs/common';
import {
  AutomationInput,
  automationEffects,
  automationNeeds,
  type AutomationReason,
  type AutomationStepCount,
  type AutomationStepInput,
  type AutomationTrigger,
  type automations,
  type Page,
} from '@heliograph/contract';
import {
  createInboundMatcher,
  dayIn,
  isPersonAddress,
  numberSteps,
  type InboundMessage,
} from '@heliograph/domain';
import {
  ownScope,
  requireAll,
  requirePermission,
  systemScope,
  type Actor,
} from '../../core/auth/actor.ts';
import { Owners } from '../../core/auth/owners.ts';
import { changesOf } from '../../core/changes.ts';
import { Clock } from '../../core/clock.ts';
import { Db } from '../../core/db/db.ts';
import { AppError, invalid } from '../../core/errors.ts';
import { Events } from '../../core/events/events.ts';
import type { In } from '../../core/http/endpoint.ts';
import { parse } from '../../core/http/validation.ts';
import { Notifications } from '../../core/notifications.ts';
import { Quotas } from '../../core/quotas.ts';
import { ContactListsService } from '../contact-lists/contact-lists.service.ts';
import { SegmentsService } from '../segments/segments.service.ts';
import { SendingsService } from '../sendings/sendings.service.ts';
import { TemplatesService } from '../templates/templates.service.ts';
import { present, type Automation } from './automation.entity.ts';
import type { AutomationRun } from './automation-run.entity.ts';
import { AutomationRunsStore } from './automation-runs.store.ts';
import { AUTOMATIONS_QUOTA, AutomationsStore } from './automations.store.ts';
import { nextScan } from './next-scan.ts';

/** A message that may let its sender enter. `allowed`: the effects that who added it by a call may have; null: all. */
type Heard = InboundMessage & { allowed: string[] | null };

/** What happens by itself to people for whom something has happened. docs/decisions/183-automations.md. */
@Injectable()
export class AutomationsService implements OnModuleInit {
  constructor(
    private readonly db: Db,
    private readonly store: AutomationsStore,
    private readonly runsStore: AutomationRunsStore,
    private readonly lists: ContactListsService,
    private readonly segments: SegmentsService,
    private readonly templates: TemplatesService,
    private readonly sendings: SendingsService,
    private readonly quotas: Quotas,
    private readonly owners: Owners,
    private readonly notifications: Notifications,
    private readonly events: Events,
    private readonly clock: Clock,
  ) {}

  onModuleInit(): void {
    this.events.present(
      'automations',
      async (ids) => this.owners.withOwners('manager', await this.store.byIds(systemScope, ids)),
      present,
    );
  }

  create(actor: Actor, input: AutomationInput): Promise<Automation> {
    const { OwnerId, userId: UserId, tokenId: TokenId } = actor;
    return this.db.transaction(async () => {
      requireAll(actor, automationNeeds(input));
      await this.check(actor, OwnerId, input);
      const { steps, last: lastStep } = numberSteps(input.steps, [], 0);
      const row = { ...input, steps, lastStep, OwnerId, UserId, TokenId, ...this.startOf(input) };
      const { id } = await this.store.create(row);
      if (row.isActive) await this.store.noteStart(id);
      await this.quotas.check(AUTOMATIONS_QUOTA, OwnerId);
      this.events.changed('automations', 'created', OwnerId, id);
      return this.store.get(actor.scope, id);
    });
  }

  /** Who changes it answers for what it does from then on. A pause alone takes nothing over. */
  update(
    actor: Actor,
    id: string,
    changes: In<typeof automations.update>['body'],
  ): Promise<Automation> {
    return this.db.transaction(async () => {
      const row = await this.store.lock(actor.scope, id);
      const { OwnerId } = row;
      const own = changesOf(row, changes);
      const isPause = Object.keys(own).every((name) => name === 'isActive') && !own.isActive;
      if (isPause) {
        if (own.isActive === false) Object.assign(row, { ...PAUSED, reason: null });
      } else {
        const before = Object.fromEntries(FIELDS.map((name) => [name, row[name]]));
        const values = parse(AutomationInput, { ...before, ...own }) as AutomationInput;
        // What it has done so far is told by its counts, also when the steps are changed.
        requireAll(actor, automationNeeds(row));
        requireAll(actor, automationNeeds(values));
        // What is started is checked as a new one: it may name what was removed meanwhile.
        await this.check(actor, OwnerId, values, own.isActive ? undefined : row);
        const { steps, last } = numberSteps(values.steps, row.steps, row.lastStep);
        const isMoved = 'isActive' in own || 'trigger' in own || 'timeZone' in own;
        const by = { UserId: actor.userId, TokenId: actor.tokenId };
        const start = isMoved ? this.startOf(values, row.startedAt) : {};
        Object.assign(row, values, { steps, lastStep: last, ...by, ...start });
        if (row.isActive) await this.store.noteStart(id);
      }
      await this.store.replace(row);
      this.events.changed('automations', 'updated', OwnerId, id);
      return this.store.get(actor.scope, id);
    });
  }

  /** Pauses all of an account that is closed, in the caller's transaction. Returns how many. */
  async pauseAll(OwnerId: string): Promise<number> {
    const paused = await this.store.pauseAll(OwnerId);
    if (paused) this.events.counted('automations', 'updated', OwnerId, null, paused);
    return paused;
  }

  /** Pauses one that cannot go on, and tells its account. In the transaction that has locked it. */
  async pause(row: Automation, reason: AutomationReason): Promise<void> {
    const { id, OwnerId, title } = row;
    Object.assign(row, PAUSED, { reason });
    await this.store.replace(row);
    await this.notifications.notify(OwnerId, 'AutomationPaused', {
      id,
      title,
      reason: reason === 'forbidden' ? 'rights' : reason,
    });
    this.events.changed('automations', 'updated', OwnerId, id);
  }

  remove(actor: Actor, id: string): Promise<{ id: string }> {
    return this.db.transaction(async () => {
      const { OwnerId } = await this.store.lock(actor.scope, id);
      await this.store.remove(actor.scope, id);
      this.events.changed('automations', 'removed', OwnerId, id);
      return { id };
    });
  }

  async counts(
    { scope }: Actor,
    id: string,
  ): Promise<{ steps: AutomationStepCount[]; waiting: number }> {
    const { steps, counts } = await this.store.get(scope, id);
    const waiting = await this.runsStore.waiting(id);
    const byStep = new Map(waiting.map(({ step, count }) => [step, count]));
    return {
      steps: steps.map(({ id: step }) => ({
        id: step,
        ...(counts.steps?.[step] ?? { taken: 0, held: {} }),
        waiting: byStep.get(step) ?? 0,
      })),
      waiting: waiting.reduce((sum, { count }) => sum + count, 0),
    };
  }

  async runs(
    actor: Actor,
    AutomationId: string,
    query: In<typeof automations.runs>['query'],
  ): Promise<Page<AutomationRun>> {
    requirePermission(actor, 'contacts.get');
    await this.store.get(actor.scope, AutomationId);
    return this.runsStore.find(actor.scope, { ...query, filter: { AutomationId } });
  }

  /** Lets those enter who have written a keyword. In the transaction that handles the messages. */
  async heard(OwnerId: string, messages: readonly Heard[]): Promise<void> {
    const listening = messages.length ? await this.store.listening(OwnerId) : [];
    if (!listening.length) return;
    const match = createInboundMatcher(
      listening.map((row) => ({
        row,
        ...(row.trigger as Extract<AutomationTrigger, { when: 'keyword' }>),
        types: [],
        sender: null,
        isContinued: true,
      })),
    );
    const now = this.clock.now();
    const entering = new Map<Automation, Set<string>>();
    for (const message of messages) {
      const { from, allowed } = message;
      if (!isPersonAddress(from)) continue;
      for (const { row } of match(message)) {
        const needs = automationEffects(row).map((effect) => `automation.${effect}`);
        if (allowed && !needs.every((effect) => allowed.includes(effect))) continue;
        const addresses = entering.get(row) ?? new Set();
        entering.set(row, addresses.add(from));
      }
    }
    for (const [row, addresses] of entering) {
      await this.runsStore.enter(row, [...addresses], dayIn(row.timeZone, now), now);
    }
  }

  /** What it names belongs to the account and can be used; of a change only what is new. */
  private async check(
    actor: Actor,
    OwnerId: string,
    { trigger, steps }: Pick<AutomationInput, 'trigger' | 'steps'>,
    before?: Automation,
  ): Promise<void> {
    const { ListId = null, SegmentId = null } = trigger as { ListId?: string; SegmentId?: string };
    const old = (before?.trigger ?? {}) as { ListId?: string; SegmentId?: string };
    if (ListId && ListId !== old.ListId) {
      const list = await this.lists.get(ownScope(OwnerId), ListId).catch(() => null);
      if (list?.type !== 'regular')
        throw invalid('trigger.ListId', 'unknown', 'This is not a regular list of the account.');
    }
    if (SegmentId && SegmentId !== old.SegmentId) {
      const [segment] = await this.segments.inLists(OwnerId, [SegmentId]);
      if (!segment)
        throw invalid('trigger.SegmentId', 'unknown', 'This is not a segment of the account.');
    }
    const isKnown = (step: AutomationStepInput) =>
      before?.steps.some((one) => isDeepStrictEqual(one, step)) ?? false;
    for (const [i, step] of steps.entries())
      if (!isKnown(step)) await this.checkStep(actor, OwnerId, step, i);
  }

  private async checkStep(
    actor: Actor,
    OwnerId: string,
    step: AutomationStepInput,
    i: number,
  ): Promise<void> {
    if (step.do === 'template') {
      const template = await this.templates.usable(actor, step.TemplateId).catch(() => null);
      if (template?.OwnerId !== OwnerId)
        throw invalid(`steps.${i}.TemplateId`, 'unknown', 'This is no template that can be used.');
    }
    if (step.do !== 'message') return;
    const { type, sender, text } = step;
    try {
      await this.sendings.prepareEach(actor, { OwnerId, type, payload: { sender, text } });
    } catch (error) {
      throw error instanceof AppError ? atStep(error, i) : error;
    }
  }

  private startOf(
    values: Pick<AutomationInput, 'trigger' | 'timeZone' | 'isActive'>,
    startedAt: Date | null = null,
  ) {
    if (!values.isActive) return { ...PAUSED, reason: null };
    const now = this.clock.now();
    return {
      ...PAUSED,
      isActive: true,
      reason: null,
      startedAt: startedAt ?? now,
      nextScanAt: nextScan(values, now),
      scannedTo: values.trigger.when === 'silence' ? now : null,
    };
  }
}

/** The refusal of a message, with the fields of its step. */
function atStep({ code, message, detail }: AppError, i: number): AppError {
  const field = (name: string) => `steps.${i}.${name}`;
  const issues =
    code === 'sender_not_approved'
      ? [{ field: field('sender'), rule: code, message } as const]
      : detail.issues?.map((one) => ({ ...one, field: field(one.field.replace('payload.', '')) }));
  return new AppError(code, message, { ...detail, issues });
}

/** It looks for nobody. */
export const PAUSED = {
  isActive: false,
  nextScanAt: null,
  scanAt: null,
  scanList: null,
  scanAfter: null,
};

/** Of a row, what a user sets. */
const FIELDS = Object.keys(AutomationInput.shape) as (keyof AutomationInput)[];
