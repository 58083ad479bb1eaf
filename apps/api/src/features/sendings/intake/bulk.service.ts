import { Injectable } from '@nestjs/common';
import {
  LATER_PER_COUNT,
  type Estimate,
  type SendingTask,
  type TaskSegment,
} from '@heliograph/contract';
import { emptyReason } from '@heliograph/domain';
import type * as z from 'zod';
import { readableFields, type Actor } from '../../../core/auth/actor.ts';
import { Clock } from '../../../core/clock.ts';
import { Db } from '../../../core/db/db.ts';
import { AppError, invalid } from '../../../core/errors.ts';
import { RequestRates } from '../../../core/http/request-rates.ts';
import { uuidv7 } from '../../../core/uuid.ts';
import { ClickCodesService, type ClickLinks } from '../../links/click-codes.service.ts';
import { StorageService } from '../../storage/storage.service.ts';
import { TasksService } from '../../tasks/tasks.service.ts';
import { chainPlan } from '../plan.ts';
import { PricingService } from '../pricing/pricing.service.ts';
import { refused } from '../refusals.ts';
import { AccountRulesService } from '../rules/account-rules.service.ts';
import { RoutingService } from '../rules/routing.service.ts';
import type { CheckedSending } from './check.service.ts';
import { ESTIMATE_PERMISSIONS, EstimateService } from './estimate.service.ts';
import { RecipientsService, type CallRecipients } from './recipients.service.ts';

const MAX_TYPED_RECIPIENTS = 1000;

/** Recipients as shown in a task; of typed ones the first, because there may be very many. */
const presentTyped = (
  lists: string[],
  saved: TaskSegment[],
  typed: string[],
  count = typed.length,
) => ({
  lists,
  ...(saved.length && {
    segments: saved.map(({ id, title, where, activity }) => ({ id, title, where, activity })),
  }),
  recipients: typed.slice(0, MAX_TYPED_RECIPIENTS),
  count,
});

/** Every list that is read. */
const listsOf = ({ segments }: CallRecipients): string[] =>
  segments.flatMap((part) => ('list' in part ? [part.list] : []));

interface EstimatedBulk {
  recipients: CallRecipients;
  estimate: Estimate;
  /** Null if it does not tell who clicked. */
  clickLinks: ClickLinks | null;
}

/** Prices a bulk and creates its task. */
@Injectable()
export class BulkService {
  constructor(
    private readonly db: Db,
    private readonly clock: Clock,
    private readonly estimates: EstimateService,
    private readonly pricing: PricingService,
    private readonly recipients: RecipientsService,
    private readonly routing: RoutingService,
    private readonly rules: AccountRulesService,
    private readonly storage: StorageService,
    private readonly tasks: TasksService,
    private readonly clickCodes: ClickCodesService,
    private readonly rates: RequestRates,
  ) {}

  /** Recipients and cost of a bulk. */
  async estimate(
    OwnerId: string,
    { input, refusal, schedule, origin }: CheckedSending,
  ): Promise<EstimatedBulk> {
    const isTest = input.live === false;
    for (const field of ['sendAt', 'priority'] as const)
      if (input[field] !== undefined)
        throw invalid(
          field,
          'unsupported',
          'It is of single messages. A bulk starts at schedule.delay.',
        );
    if (refusal) throw refused(refusal);
    const recipients = await this.recipients.read(OwnerId, input, origin);
    const { type, payload } = input;
    if (!isTest) await this.routing.requireChannel({ OwnerId, type, sender: payload.sender });
    if (
      !isTest &&
      !(await this.rules.maySendToAudience(OwnerId, recipients.typed, listsOf(recipients)))
    )
      throw refused('phone_not_confirmed');
    const pricing = await this.pricing.of(OwnerId, input);
    const clickLinks = input.options?.tellsWhoClicked
      ? await this.clickCodes.linksIn(OwnerId, JSON.stringify([payload, input.fallbacks]))
      : null;
    const spending = {
      tokenId: input.tokenId ?? null,
      at: schedule.startsAt ?? this.clock.now(),
      live: input.live,
    };
    const estimate = await this.estimates.bulk(
      OwnerId,
      chainPlan({
        ...input,
        ...(clickLinks && { clicks: { task: 0, links: clickLinks.shortUrls } }),
      }),
      recipients,
      pricing,
      spending,
    );
    if (!estimate.recipients) {
      throw new AppError(emptyReason(estimate.skipped), undefined, {
        payload: { skipped: estimate.skipped },
      });
    }
    return { recipients, estimate, clickLinks };
  }

  /** Throws `insufficient_funds` if the balance does not cover the estimate, `spend_cap_reached` if a cap does not. */
  async create(
    actor: Actor,
    OwnerId: string,
    checked: CheckedSending,
  ): Promise<z.infer<typeof SendingTask>> {
    const {
      input,
      schedule: { startsAt, stretchSeconds },
    } = checked;
    const { recipients, estimate, clickLinks } = await this.estimate(OwnerId, checked);
    const { type, payload, fallbacks, audioSeconds, callbackData, schedule, options } = input;
    const { smpp, callback, live } = input;
    const now = this.clock.now();
    if (estimate.cap)
      throw new AppError('spend_cap_reached', undefined, {
        payload: { amount: estimate.amount, cap: estimate.cap },
      });
    const { amount, balanceAfter } = estimate;
    if (!estimate.enough) {
      throw new AppError('insufficient_funds', undefined, {
        payload: readableFields(actor, { amount, balanceAfter }, ESTIMATE_PERMISSIONS),
      });
    }
    if (live === false) this.rates.countMessages(OwnerId, estimate.recipients, 'testMessage');
    // Until it is sent it costs nothing, and it may be stopped before.
    const isLater = stretchSeconds > 0 || (startsAt !== null && startsAt > now);
    const stored =
      (recipients.failed?.count ?? recipients.typed.length) + recipients.excludedPhones.size;
    if (isLater)
      this.rates.countMessages(OwnerId, Math.ceil((stored + 1) / LATER_PER_COUNT), 'laterBulk');
    const id = uuidv7(now);
    const excludedPhones = [...recipients.excludedPhones];
    const expected =
      estimate.recipients +
      Object.values(estimate.skipped).reduce((a, b) => a + b, 0) -
      recipients.invalid;
    return this.db.transaction(async () => {
      await this.storage.claim(Object.keys(input.audioSeconds));
      const clicks = clickLinks?.ids.length
        ? { task: await this.clickCodes.addTask(id, clickLinks), links: clickLinks.shortUrls }
        : undefined;
      const task = await this.tasks.create({
        id,
        OwnerId,
        userId: actor.userId,
        tokenId: input.tokenId ?? null,
        title:
          input.options?.title || `${type} ${now.toISOString().slice(0, 16).replace('T', ' ')} UTC`,
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
            smpp,
            callback,
            live,
            clicks,
          },
          recipients: {
            include: presentTyped(
              recipients.lists,
              recipients.savedSegments.included,
              recipients.typed,
              recipients.failed?.count,
            ),
            exclude: presentTyped(
              recipients.excludedLists,
              recipients.savedSegments.excluded,
              excludedPhones,
            ),
          },
        },
        audience: recipients.segments,
        phones: recipients.failed ? [] : recipients.typed,
        failedOf: recipients.failed?.of ?? null,
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
}
