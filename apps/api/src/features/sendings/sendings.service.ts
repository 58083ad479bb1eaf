import { Injectable, type OnModuleInit } from '@nestjs/common';
import {
  EachContent,
  isBulk,
  MAX_EACH_CHARACTERS,
  MAX_RECEIPTS,
  resendOf,
  type EachInput,
  type EachReceipt,
  type Estimate,
  type Level,
  type Page,
  type Permission,
  type Sending,
  type SendingInput,
  type SendingReceipt,
  sendings,
  type SendingTask,
  type Translation,
} from '@heliograph/contract';
import type { FieldRule } from '@heliograph/contract/descriptions';
import {
  isUuid,
  literalText,
  type OperatorTable,
  type RulesRefusal,
  translated,
  translationFor,
  type SendingType,
} from '@heliograph/domain';
import type * as z from 'zod';
import {
  readableFields,
  requirePermission,
  systemScope,
  SYSTEM_OWNER,
  type AccessScope,
  type Actor,
} from '../../core/auth/actor.ts';
import { Config } from '../../core/config.ts';
import { earliestOf } from '../../core/auth/date-limits.ts';
import { Owners } from '../../core/auth/owners.ts';
import { Clock } from '../../core/clock.ts';
import { Db } from '../../core/db/db.ts';
import { AppError, invalid, notFound } from '../../core/errors.ts';
import { Events } from '../../core/events/events.ts';
import type { In } from '../../core/http/endpoint.ts';
import { parse } from '../../core/http/validation.ts';
import { uuidFloor } from '../../core/uuid.ts';
import { ClickCodesService } from '../links/click-codes.service.ts';
import { SettingsService } from '../settings/settings.service.ts';
import { StorageService } from '../storage/storage.service.ts';
import { TasksService } from '../tasks/tasks.service.ts';
import { TemplatesService, type TemplateContent } from '../templates/templates.service.ts';
import { AccountRulesService } from './rules/account-rules.service.ts';
import { CancelsService } from './dispatch/cancels.service.ts';
import { BulkService } from './intake/bulk.service.ts';
import { CheckService, type CheckedSending } from './intake/check.service.ts';
import { ESTIMATE_PERMISSIONS, EstimateService } from './intake/estimate.service.ts';
import { IntakeService } from './intake/intake.service.ts';
import { decisiveAttempt, presentGroup } from './queries/group.ts';
import {
  addressOf,
  chainPlan,
  readAddress,
  typesOf,
  type ResolvedSending,
  type SendingOrigin,
  type StoredSending,
} from './plan.ts';
import { entriesOf, RecipientsService } from './intake/recipients.service.ts';
import { refused } from './refusals.ts';
import { presentAttempts, presentSending, type SendingRow } from './queries/sending.row.ts';
import { RoutingService } from './rules/routing.service.ts';
import { SendingsStore } from './queries/sendings.store.ts';
import { timelineOf } from './queries/timeline.ts';
import { reportConditions, type SendingsReport } from './queries/report-conditions.ts';
import { operators } from './pricing/operators.ts';
import type { Bind } from '../../core/db/find-page.ts';

export type { SendingOrigin, SmppAddress, SmppOrigin, StatusCallback } from './plan.ts';
export { CURRENT_STATUS, PAUSED_CODE } from './queries/report-conditions.ts';
export type { SendingsReport } from './queries/report-conditions.ts';

type Query = In<typeof sendings.find>['query'];
const DAY_MS = 86_400_000;
const LAST_TEXTS = 5;
type Created = SendingReceipt | z.infer<typeof SendingTask> | SendingReceipt[];

@Injectable()
export class SendingsService implements OnModuleInit {
  constructor(
    private readonly db: Db,
    private readonly clock: Clock,
    private readonly events: Events,
    private readonly store: SendingsStore,
    private readonly checks: CheckService,
    private readonly bulks: BulkService,
    private readonly intake: IntakeService,
    private readonly cancels: CancelsService,
    private readonly estimates: EstimateService,
    private readonly recipients: RecipientsService,
    private readonly tasks: TasksService,
    private readonly routing: RoutingService,
    private readonly settings: SettingsService,
    private readonly rules: AccountRulesService,
    private readonly storage: StorageService,
    private readonly templates: TemplatesService,
    private readonly owners: Owners,
    private readonly config: Config,
    private readonly clickCodes: ClickCodesService,
  ) {}

  onModuleInit(): void {
    this.events.present(
      'sendings',
      async (ids) => this.owners.withOwners('manager', await this.store.byIds(systemScope, ids)),
      (row, level) => presentSending(row, level),
      { isBatched: true },
    );
  }

  /** One message and its receipt, or a bulk and its task. */
  async create(actor: Actor, request: SendingInput, returnEach: boolean): Promise<Created> {
    const OwnerId = request.OwnerId ?? actor.OwnerId;
    const checked = await this.check(actor, OwnerId, request);
    const single = singleOf(request);
    if (returnEach || single !== null) refuseBulkOptions(request);
    if (returnEach) return this.sendEach(OwnerId, checked);
    if (single !== null) return (await this.sendSingles(OwnerId, checked, [single]))[0]!;
    return this.bulks.create(actor, OwnerId, checked);
  }

  /** Messages with own values: all that are not refused, or none. */
  async each(
    actor: Actor,
    request: EachInput,
    { respectsOptOut }: Pick<StoredSending, 'respectsOptOut'> = {},
  ): Promise<EachReceipt[]> {
    const OwnerId = request.OwnerId ?? actor.OwnerId;
    const { recipients, values, schedule, options, callbackData, sendAt, priority } = request;
    const template = await this.templateOf(actor, request);
    const own = recipients.map((one, i) => ({
      ...one,
      values: { ...values, ...one.values },
      i,
      translation: translationFor(template?.translations ?? [], one.locale ?? request.locale),
    }));
    const groups = Map.groupBy(own, ({ translation }) => translation);
    const messages = Array.from(groups, ([translation, to]) => ({
      content: contentOf(request, template, translation),
      to,
    }));
    const size = messages.reduce((sum, { content, to }) => sum + to.length * lengthOf(content), 0);
    if (size > MAX_EACH_CHARACTERS) {
      const most = `${MAX_EACH_CHARACTERS} characters`;
      throw invalid('recipients', 'too_many', `The texts of a call together have at most ${most}.`);
    }
    const checked: (CheckedSending & { to: typeof own })[] = [];
    for (const { content, to } of messages) {
      const sending = await this.check(actor, OwnerId, {
        ...content,
        recipient: [],
        schedule: schedule && { delay: 0, until: 0, ...schedule },
        options,
        callbackData,
        sendAt,
        priority,
      });
      checked.push({ ...sending, to });
    }
    return this.db.transaction(async () => {
      const receipts: EachReceipt[] = [];
      if (!actor.isTest) await this.intake.lockPersons(OwnerId, checked[0]!.input.type, own);
      for (const { input, refusal, to } of checked) {
        await this.storage.claim(input.expiring);
        const own = respectsOptOut ? { ...input, respectsOptOut } : input;
        const sent = await this.intake.sendEach(OwnerId, own, to, refusal);
        for (const [k, receipt] of sent.entries()) receipts[to[k]!.i] = receipt;
      }
      return receipts;
    });
  }

  /** Refuses a message of `each` that is to be sent later as it would be refused now. */
  async prepareEach(
    actor: Actor,
    { OwnerId, type, payload }: Pick<SendingInput, 'type' | 'payload'> & { OwnerId: string },
  ): Promise<void> {
    const request = { type, payload, fallbacks: [], recipient: [], OwnerId };
    const { refusal } = await this.check(actor, OwnerId, request);
    if (refusal) throw refused(refusal);
  }

  /** The version of the template that a request names; null if it names none. */
  private async templateOf(
    actor: Actor,
    { templateId, templateVersion }: EachInput,
  ): Promise<TemplateContent | null> {
    if (!templateId) return null;
    requirePermission(actor, 'templates.get');
    return templateVersion
      ? this.templates.usableVersion(actor, templateId, templateVersion)
      : this.templates.usable(actor, templateId);
  }

  /**
   * Refuses a bulk that is to be sent later as it would be refused now, apart from what its recipients, prices and money may be then. In the
   * transaction of the caller: its files are kept.
   */
  async prepareBulk(actor: Actor, request: SendingInput): Promise<void> {
    const OwnerId = request.OwnerId ?? actor.OwnerId;
    const { input, refusal } = await this.check(actor, OwnerId, request);
    if (refusal) throw refused(refusal);
    await this.recipients.read(OwnerId, input);
    await this.storage.claim(input.expiring);
  }

  /** A message or a bulk of the actor's account that came by another door than the API, with what its reports need. */
  async submit(
    actor: Actor,
    request: SendingInput,
    origin: SendingOrigin,
  ): Promise<SendingReceipt | z.infer<typeof SendingTask>> {
    const { OwnerId } = actor;
    const checked = await this.check(actor, OwnerId, request);
    const own = { ...checked, input: { ...checked.input, ...origin } };
    const single = singleOf(request);
    if (single === null) return this.bulks.create(actor, OwnerId, own);
    return (await this.sendSingles(OwnerId, own, [single]))[0]!;
  }

  /** One message to an address as it is, in the transaction of the caller: an answer to what the person has written. */
  async sendTo(
    actor: Actor,
    { OwnerId, address }: { OwnerId: string; address: string },
    request: SendingInput,
  ): Promise<SendingReceipt> {
    const checked = await this.check(actor, OwnerId, request);
    return (await this.sendSingles(OwnerId, checked, [address], true))[0]!;
  }

  /** Sends an SMS of the installation itself and returns its id. It is free and not visible to any account. */
  async sendOwn(phone: string, message: string): Promise<string> {
    const input: ResolvedSending = {
      type: 'sms',
      recipient: phone,
      payload: {
        sender: this.config.REGISTRATION_SENDERNAME,
        text: literalText(message),
      },
      fallbacks: [],
      audioSeconds: {},
      expiring: [],
    };
    const [receipt] = await this.intake.send(SYSTEM_OWNER, input, [phone], null);
    if (receipt!.error)
      throw new AppError('unavailable', `The SMS was not sent: ${receipt!.error}`);
    return receipt!.id;
  }

  /** Throws the refusal that the sending would get, except for lack of funds, which the estimate reports. */
  async estimate(actor: Actor, request: SendingInput): Promise<Estimate> {
    return readableFields(actor, await this.estimated(actor, request), ESTIMATE_PERMISSIONS);
  }

  private async estimated(actor: Actor, request: SendingInput): Promise<Estimate> {
    const OwnerId = request.OwnerId ?? actor.OwnerId;
    const checked = await this.check(actor, OwnerId, request);
    const single = singleOf(request);
    if (single === null) return (await this.bulks.estimate(OwnerId, checked)).estimate;
    refuseBulkOptions(request);
    const { input, refusal } = checked;
    const { type, payload } = input;
    const traffic = { OwnerId, type, sender: payload.sender };
    if (!actor.isTest) await this.routing.requireChannel(traffic, refusal !== null);
    const { country } = await this.settings.sendingRules(OwnerId);
    const recipient = readAddress(input.type, single, country);
    if (!recipient) throw refused('invalid_recipient');
    const isAllowed = actor.isTest || (await this.rules.maySendTo(OwnerId, recipient.address));
    const dueAt = checked.schedule.startsAt ?? undefined;
    const spending = {
      tokenId: input.tokenId ?? null,
      at: this.clock.now(),
      dueAt,
      live: input.live,
    };
    const rules = { refusal, isAllowed };
    return this.estimates.single(OwnerId, chainPlan(input), recipient, rules, spending);
  }

  async find(actor: Actor, query: Query): Promise<Page<Sending>> {
    const { createdAt, updatedAt } = query.range;
    const [from] = [createdAt ?? updatedAt, updatedAt].map((range) =>
      earliestOf(actor, range, this.clock.now()),
    ) as [string, string];
    const country = await this.settings.countryOf(query.filter.OwnerId ?? actor.OwnerId);
    const page = await this.store.find(actor.scope, query, { from, country });
    const full = query.scope.includes('full') ? {} : undefined;
    const rows = await this.owners.withOwners(actor.level, page.data);
    return { ...page, data: rows.map((row) => presentSending(row, actor.level, full)) };
  }

  async presentedAll(scope: AccessScope, ids: string[], level: Level): Promise<Sending[]> {
    const rows = await this.owners.withOwners(level, await this.store.byIds(scope, ids));
    return rows.map((row) => presentSending(row, level));
  }

  /** The conditions of a report on sendings `s`, without those of the access scope. */
  reportConditions(where: SendingsReport, bind: Bind, country: string): string[] {
    return reportConditions(where, bind, country);
  }

  /** The table of operators. */
  operators(): OperatorTable {
    return operators();
  }

  async get(actor: Actor, id: string): Promise<Sending> {
    const row = await this.store.one(actor.scope, id);
    return row
      ? this.withTimeline(actor, row, await this.store.chain(row.chain))
      : this.group(actor, id);
  }

  /**
   * Ends a single message that no carrier has, with its fallbacks, and refunds it. A test token ends its like only. The answer shows the
   * message, so it needs `sendings.get`, too.
   */
  cancel(actor: Actor, id: string): Promise<Sending> {
    requirePermission(actor, sendings.get.can as Permission);
    return this.db.transaction(async () => {
      const row = await this.store.one(actor.scope, id);
      if (!row || (actor.isTest && !row.isTest)) throw notFound();
      if (!(await this.cancels.cancel(id)))
        throw new AppError(
          'conflict',
          'Only a single message that is not submitted can be cancelled',
        );
      return this.get(actor, id);
    });
  }

  /** The last texts of an account to each person within a day. */
  lastTexts(OwnerId: string, addresses: string[]): Promise<{ address: string; text: string }[]> {
    const from = uuidFloor(new Date(this.clock.now().getTime() - DAY_MS));
    return this.store.lastTexts(OwnerId, addresses, { from, limit: LAST_TEXTS });
  }

  /** Why the account may not send messages of a type from a sender; null if it may. */
  refusalOf(OwnerId: string, type: SendingType, sender: string): Promise<RulesRefusal | null> {
    return this.rules.refusalOf(OwnerId, [{ type, sender }]);
  }

  private async check(
    actor: Actor,
    OwnerId: string,
    request: SendingInput,
  ): Promise<CheckedSending> {
    const of = resendOf(request.recipient);
    const origin = of && (await this.tasks.getOrigin(actor, of, OwnerId));
    const checked = await this.checks.check(OwnerId, request);
    return {
      ...checked,
      origin: origin ? typesOf(origin.data.sending as unknown as StoredSending) : [],
      input: {
        ...checked.input,
        tokenId: actor.tokenId ?? undefined,
        live: actor.isTest ? false : undefined,
      },
    };
  }

  private async group(actor: Actor, id: string): Promise<Sending> {
    const task = await this.tasks.get(actor, id);
    if (!isBulk(task)) throw notFound();
    const first = task.meta.counters.expected > 1 ? [] : await this.store.firstOf(id);
    if (first.length !== 1) return presentGroup(task);
    const attempts = await this.store.chain(first[0]!);
    return this.withTimeline(actor, decisiveAttempt(attempts), attempts);
  }

  private async withTimeline(
    actor: Actor,
    row: SendingRow,
    attempts: SendingRow[],
  ): Promise<Sending> {
    const recipients = row.taskId ? await this.store.recipientsOf(row.taskId) : null;
    const owned = await this.owners.withOwner(actor.level, row);
    const ways = await this.store.waysOf(
      actor.level === 'manager' ? attempts.map(({ id }) => id) : [],
    );
    const clicks = row.plan?.clicks ? await this.clickCodes.clicksOf(row.chain) : [];
    return {
      ...presentSending(owned, actor.level, { recipients }),
      timeline: timelineOf(attempts, actor.level, ways, clicks),
      attempts: presentAttempts(attempts),
    };
  }

  /** A message refused after validation has a receipt, too. */
  private async sendSingles(
    OwnerId: string,
    { input, refusal }: CheckedSending,
    recipients: string[],
    isAnswer = false,
  ): Promise<SendingReceipt[]> {
    await this.storage.claim(input.expiring);
    return this.intake.send(OwnerId, input, recipients, refusal, isAnswer);
  }

  private async sendEach(OwnerId: string, checked: CheckedSending): Promise<SendingReceipt[]> {
    const { input } = checked;
    const { type } = input;
    const { include, exclude } = entriesOf(input.recipient);
    const refuse = (field: string, rule: FieldRule, message: string) =>
      invalid(field, rule, `A call with return=each ${message}.`);
    if (include.length > MAX_RECEIPTS || exclude.length > MAX_RECEIPTS)
      throw refuse(
        'recipient',
        'too_many',
        `lists and excludes at most ${MAX_RECEIPTS} recipients`,
      );
    if (resendOf(input.recipient))
      throw refuse('recipient', 'unsupported', 'takes no recipients of a bulk');
    if ([...include, ...exclude].some(isUuid))
      throw refuse('recipient', 'unsupported', 'takes no contact lists');
    if (isScheduled(input))
      throw invalid('schedule', 'unsupported', 'A call with return=each takes `sendAt` instead.');
    const { country } = await this.settings.sendingRules(OwnerId);
    const normalize = (text: string) => addressOf(type, text, country) ?? text;
    const excluded = new Set(exclude.map(normalize));
    const included = [...new Set(include.map(normalize))].filter((entry) => !excluded.has(entry));
    if (!included.length) throw new AppError('no_recipients', 'There is no one to send to');
    return this.sendSingles(OwnerId, checked, included);
  }
}

const isScheduled = ({ schedule }: SendingInput) =>
  schedule !== undefined && (schedule.delay !== 0 || schedule.until !== 0);

/** The message of a request: its own, or that of its template in a language, with the fields that the request replaces. */
function contentOf(
  { type, payload, fallbacks }: EachInput,
  template: TemplateContent | null,
  translation: Translation | undefined,
): EachContent {
  if (!template)
    return parse(EachContent, { type, payload, fallbacks: fallbacks ?? [] }) as EachContent;
  const { type: own, ...said } = translated(template, translation);
  return parse(EachContent, {
    type: own,
    payload: { ...said.payload, ...payload },
    fallbacks: fallbacks ?? said.fallbacks,
  }) as EachContent;
}

function refuseBulkOptions({ options, variants }: SendingInput): void {
  if (options?.tellsWhoClicked)
    throw invalid('options.tellsWhoClicked', 'unsupported', 'It is of bulks.');
  if (variants) throw invalid('variants', 'unsupported', 'Two texts are of bulks.');
}

/** Length of what a message stores for each recipient, in characters: its content and that of its fallbacks. */
const lengthOf = ({ payload, fallbacks }: EachContent): number =>
  JSON.stringify(payload).length + (fallbacks.length && JSON.stringify(fallbacks).length);

/** The recipient of a single; null for a bulk. A message to one recipient with a `schedule.delay` is a task, too. */
const singleOf = (request: SendingInput): string | null =>
  typeof request.recipient === 'string' && !isScheduled(request) ? request.recipient : null;
