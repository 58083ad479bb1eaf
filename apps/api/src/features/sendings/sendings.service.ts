import { Injectable, type OnModuleInit } from '@nestjs/common';
import {
  MAX_RECEIPTS,
  type Estimate,
  type Page,
  type Sending,
  type SendingInput,
  type SendingReceipt,
  type sendings,
  type SendingTask,
} from '@heliograph/contract';
import {
  isUuid,
  parseSchedule,
  ScheduleError,
  type RulesRefusal,
  type Schedule,
} from '@heliograph/domain';
import type * as z from 'zod';
import { ownScope, systemScope, SYSTEM_OWNER, type Actor } from '../../core/auth/actor.ts';
import { Config } from '../../core/config.ts';
import { earliestOf } from '../../core/auth/date-limits.ts';
import { Owners } from '../../core/auth/owners.ts';
import { Clock } from '../../core/clock.ts';
import { Db } from '../../core/db/db.ts';
import { AppError, invalid } from '../../core/errors.ts';
import { Events } from '../../core/events/events.ts';
import type { In } from '../../core/http/endpoint.ts';
import { uuidv7 } from '../../core/uuid.ts';
import { SettingsService } from '../settings/settings.service.ts';
import { StorageService } from '../storage/storage.service.ts';
import { TariffsService } from '../tariffs/tariffs.service.ts';
import { TasksService } from '../tasks/tasks.service.ts';
import { AccountRulesService } from './rules/account-rules.service.ts';
import { EstimateService } from './intake/estimate.service.ts';
import { IntakeService } from './intake/intake.service.ts';
import { decisiveAttempt, presentGroup } from './queries/group.ts';
import { addressOf, chainPlan, readAddress, type ResolvedSending } from './plan.ts';
import { PricingService } from './pricing/pricing.service.ts';
import { entriesOf, RecipientsService, type CallRecipients } from './intake/recipients.service.ts';
import { refused } from './refusals.ts';
import { presentAttempts, presentSending, type SendingRow } from './queries/sending.row.ts';
import { RoutingService } from './rules/routing.service.ts';
import { SendingsStore } from './queries/sendings.store.ts';
import { timelineOf } from './queries/timeline.ts';

type Query = In<typeof sendings.find>['query'];
/** A valid request. A `refusal` applies to each of its messages. */
interface Checked {
  input: ResolvedSending;
  schedule: Schedule;
  refusal: RulesRefusal | null;
}

interface EstimatedBulk {
  recipients: CallRecipients;
  estimate: Estimate;
}

type Created = SendingReceipt | z.infer<typeof SendingTask> | SendingReceipt[];

@Injectable()
export class SendingsService implements OnModuleInit {
  constructor(
    private readonly db: Db,
    private readonly clock: Clock,
    private readonly events: Events,
    private readonly store: SendingsStore,
    private readonly intake: IntakeService,
    private readonly recipients: RecipientsService,
    private readonly estimates: EstimateService,
    private readonly tasks: TasksService,
    private readonly tariffs: TariffsService,
    private readonly pricing: PricingService,
    private readonly routing: RoutingService,
    private readonly settings: SettingsService,
    private readonly rules: AccountRulesService,
    private readonly storage: StorageService,
    private readonly owners: Owners,
    private readonly config: Config,
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
    const checked = await this.check(OwnerId, request);
    if (returnEach) return this.sendEach(OwnerId, checked);
    const single = singleOf(request);
    if (single !== null) return (await this.sendSingles(OwnerId, checked, [single]))[0]!;
    return this.createBulk(actor, OwnerId, checked, await this.estimateBulk(OwnerId, checked));
  }

  /** Sends an SMS of the installation itself and returns its id. It is free and not visible to any account. */
  async sendOwn(phone: string, message: string): Promise<string> {
    const text = message.replaceAll('{', '{{').replaceAll('}', '}}');
    const input: ResolvedSending = {
      type: 'sms',
      recipient: phone,
      payload: { sender: this.config.REGISTRATION_SENDERNAME, text },
      fallbacks: [],
      audioSeconds: {},
      expiring: [],
    };
    const [receipt] = await this.intake.send(SYSTEM_OWNER, input, [phone], [null]);
    if (receipt!.error)
      throw new AppError('unavailable', `The SMS was not sent: ${receipt!.error}`);
    return receipt!.id;
  }

  /** Throws the refusal that the sending would get, except for lack of funds, which the estimate reports. */
  async estimate(actor: Actor, request: SendingInput): Promise<Estimate> {
    const OwnerId = request.OwnerId ?? actor.OwnerId;
    const checked = await this.check(OwnerId, request);
    const single = singleOf(request);
    if (single === null) return (await this.estimateBulk(OwnerId, checked)).estimate;
    const { input, refusal } = checked;
    await this.routing.channelFor(OwnerId, input.type);
    const { country } = await this.settings.sendingRules(OwnerId);
    const recipient = readAddress(input.type, single, country);
    if (!recipient) throw refused('invalid_recipient');
    const isAllowed = await this.rules.maySendTo(OwnerId, recipient.address);
    const earlier = refusal ?? (isAllowed ? null : 'phone_not_confirmed');
    return this.estimates.single(OwnerId, chainPlan(input), recipient, earlier);
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

  async get(actor: Actor, id: string): Promise<Sending> {
    const row = await this.store.one(actor.scope, id);
    return row
      ? this.withTimeline(actor, row, await this.store.chain(row.chain))
      : this.group(actor, id);
  }

  private async group(actor: Actor, id: string): Promise<Sending> {
    const task = await this.tasks.get(actor, id);
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
    return {
      ...presentSending(owned, actor.level, { recipients }),
      timeline: timelineOf(attempts),
      attempts: presentAttempts(attempts),
    };
  }

  /** A message refused after validation has a receipt, too. */
  private async sendSingles(
    OwnerId: string,
    { input, refusal }: Checked,
    recipients: string[],
  ): Promise<SendingReceipt[]> {
    const { country } = await this.settings.sendingRules(OwnerId);
    const addresses = recipients.map((text) => addressOf(input.type, text, country) ?? text);
    const allowed = refusal ? null : await this.rules.claim(OwnerId, addresses);
    const refusals = recipients.map((_, i) =>
      allowed && !allowed[i] ? ('phone_not_confirmed' as const) : refusal,
    );
    await this.storage.claim(input.expiring);
    return this.intake.send(OwnerId, input, recipients, refusals);
  }

  private async sendEach(OwnerId: string, checked: Checked): Promise<SendingReceipt[]> {
    const { input } = checked;
    const { type } = input;
    const { include, exclude } = entriesOf(input.recipient);
    const refuse = (field: string, rule: string, message: string) =>
      invalid(field, rule, `A call with return=each ${message}.`);
    if (include.length > MAX_RECEIPTS || exclude.length > MAX_RECEIPTS)
      throw refuse(
        'recipient',
        'too_many',
        `lists and excludes at most ${MAX_RECEIPTS} recipients`,
      );
    if ([...include, ...exclude].some(isUuid))
      throw refuse('recipient', 'unsupported', 'takes no contact lists');
    if (isScheduled(input))
      throw invalid('schedule', 'unsupported', 'A call with return=each sends at once.');
    const { country } = await this.settings.sendingRules(OwnerId);
    const normalize = (text: string) => addressOf(type, text, country) ?? text;
    const excluded = new Set(exclude.map(normalize));
    const included = [...new Set(include.map(normalize))].filter((entry) => !excluded.has(entry));
    if (!included.length) throw new AppError('no_recipients', 'There is no one to send to');
    return this.sendSingles(OwnerId, checked, included);
  }

  /** Recipients and cost of a bulk. */
  private async estimateBulk(OwnerId: string, { input, refusal }: Checked): Promise<EstimatedBulk> {
    if (refusal) throw refused(refusal);
    const recipients = await this.recipients.read(OwnerId, input);
    await this.routing.channelFor(OwnerId, input.type);
    if (!(await this.rules.maySendToAudience(OwnerId, recipients.typed, recipients.lists)))
      throw refused('phone_not_confirmed');
    const pricing = await this.pricing.of(OwnerId);
    const estimate = await this.estimates.bulk(OwnerId, chainPlan(input), recipients, pricing);
    if (!estimate.recipients) {
      const isUnpriced = (estimate.skipped.noPrice ?? 0) > 0;
      throw new AppError(isUnpriced ? 'no_price' : 'no_recipients', undefined, {
        payload: { skipped: estimate.skipped },
      });
    }
    return { recipients, estimate };
  }

  private async createBulk(
    actor: Actor,
    OwnerId: string,
    { input, schedule: { startsAt, stretchSeconds } }: Checked,
    { recipients, estimate }: EstimatedBulk,
  ): Promise<z.infer<typeof SendingTask>> {
    const { type, payload, fallbacks, audioSeconds, callbackData, schedule, options } = input;
    const now = this.clock.now();
    if (!estimate.enough) {
      throw new AppError('insufficient_funds', undefined, {
        payload: { amount: estimate.amount, balanceAfter: estimate.balanceAfter },
      });
    }
    const id = uuidv7(now);
    const excludedPhones = [...recipients.excludedPhones];
    const expected =
      estimate.recipients +
      Object.values(estimate.skipped).reduce((a, b) => a + b, 0) -
      recipients.invalid;
    return this.db.transaction(async () => {
      await this.storage.claim(Object.keys(input.audioSeconds));
      const task = await this.tasks.create({
        id,
        OwnerId,
        userId: actor.userId,
        title:
          input.options?.title || `${type} ${now.toISOString().slice(0, 16).replace('T', ' ')}`,
        data: {
          sending: {
            type,
            groupId: id,
            payload,
            fallbacks,
            audioSeconds,
            callbackData,
            schedule,
            options,
          },
          recipients: {
            include: presentTyped(recipients.lists, recipients.typed),
            exclude: presentTyped(recipients.excludedLists, excludedPhones),
          },
        },
        audience: recipients.segments,
        phones: recipients.typed,
        excludedPhones,
        startsAt,
        stretchSeconds,
        expected,
        skipped: recipients.invalid ? { invalid: recipients.invalid } : {},
        now,
      });
      return { ...task, groupId: id };
    });
  }

  /** All checks that do not depend on recipients, for the sending and for its estimate. */
  private async check(OwnerId: string, request: SendingInput): Promise<Checked> {
    const input = await this.resolve(OwnerId, request);
    await this.checkTypes(OwnerId, input);
    return {
      input,
      schedule: scheduleOf(input, this.clock.now()),
      refusal: await this.rules.refusalOf(OwnerId, sendersOf(input)),
    };
  }

  /**
   * Checks the files of a sending and of its fallbacks: they belong to the owner, the audio of a call has a known length, and the
   * owner's tariff has a price per second for it.
   */
  private async resolve(OwnerId: string, input: SendingInput): Promise<ResolvedSending> {
    const attempts = [input, ...input.fallbacks].map(({ type, payload }, i) => ({
      type,
      payload,
      place: i ? `fallbacks.${i - 1}.payload` : 'payload',
    }));
    const files = await this.storage.requireMedia(ownScope(OwnerId), attempts);
    const audioSeconds = Object.fromEntries(files.map((f) => [f.id, f.seconds ?? 0]));
    const calls = attempts.flatMap(({ type, payload: { audio }, place }) =>
      type === 'voice' && audio ? [{ audio, place }] : [],
    );
    const unknown = calls.find(({ audio }) => !audioSeconds[audio]);
    if (unknown) {
      const message = 'Only WAV and MP3 files can be played in a call.';
      throw invalid(`${unknown.place}.audio`, 'audio', message);
    }
    const [call] = calls;
    if (call && !(await this.tariffs.priceBook(OwnerId)).hasPerSecondPrice) {
      const message = 'The tariff has no price per second of a call.';
      throw invalid(`${call.place}.audio`, 'seconds', message);
    }
    const expiring = files.filter((f) => f.expiredAt).map((f) => f.id);
    return { ...input, audioSeconds, expiring };
  }

  /** The account's settings list the types that it may send. */
  private async checkTypes(OwnerId: string, input: SendingInput): Promise<void> {
    const { types } = await this.settings.sendingRules(OwnerId);
    const attempts = sendersOf(input);
    const wrong = attempts.findIndex((a) => !types.includes(a.type));
    if (wrong < 0) return;
    const field = wrong ? `fallbacks.${wrong - 1}.type` : 'type';
    throw invalid(field, 'unavailable', `The account does not send ${attempts[wrong]!.type}.`);
  }
}

const sendersOf = ({ type, payload, fallbacks }: SendingInput) =>
  [{ type, payload }, ...fallbacks].map((a) => ({ type: a.type, sender: a.payload.sender }));

const MAX_TYPED_RECIPIENTS = 1000;

/** Recipients as shown in a task; of typed ones the first, because there may be very many. */
const presentTyped = (lists: string[], typed: string[]) => ({
  lists,
  recipients: typed.slice(0, MAX_TYPED_RECIPIENTS),
  count: typed.length,
});

const isScheduled = ({ schedule }: SendingInput) =>
  schedule !== undefined && (schedule.delay !== 0 || schedule.until !== 0);

/** The recipient of a single; null for a bulk. A scheduled message to one recipient is a task, too. */
const singleOf = (request: SendingInput): string | null =>
  typeof request.recipient === 'string' && !isScheduled(request) ? request.recipient : null;

function scheduleOf({ schedule }: SendingInput, now: Date): Schedule {
  try {
    return parseSchedule(schedule ?? { delay: 0, until: 0 }, now);
  } catch (error) {
    if (!(error instanceof ScheduleError)) throw error;
    throw invalid(`schedule.${error.field}`, error.rule, error.message);
  }
}
