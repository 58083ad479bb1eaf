import { Injectable } from '@nestjs/common';
import {
  LATER_PER_COUNT,
  type Estimate,
  type SendingInput,
  type SendingTask,
  type TaskSegment,
  type TaskVariants,
  type VariantsInput,
} from '@heliograph/contract';
import {
  cutText,
  emptyReason,
  MIN_VARIANT_RECIPIENTS,
  VARIANT_PARTS,
  variantSlots,
} from '@heliograph/domain';
import type * as z from 'zod';
import { readableFields, type Actor } from '../../../core/auth/actor.ts';
import { Clock, secondsAfter } from '../../../core/clock.ts';
import { Db } from '../../../core/db/db.ts';
import { AppError, invalid } from '../../../core/errors.ts';
import { RequestRates } from '../../../core/http/request-rates.ts';
import { uuidv7 } from '../../../core/uuid.ts';
import { ClickCodesService, type ClickLinks } from '../../links/click-codes.service.ts';
import { StorageService } from '../../storage/storage.service.ts';
import { TasksService } from '../../tasks/tasks.service.ts';
import { VariantsService } from '../../tasks/variants.service.ts';
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
  /** Of the links of two texts, if clicks decide. */
  clicksBefore: TaskVariants['clicksBefore'];
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
    private readonly variants: VariantsService,
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
      ? await this.clickCodes.linksIn(
          OwnerId,
          JSON.stringify([payload, input.variants?.text, input.fallbacks]),
        )
      : null;
    const spending = {
      tokenId: input.tokenId ?? null,
      at: schedule.startsAt ?? this.clock.now(),
      live: input.live,
    };
    const estimateOf = (payload: SendingInput['payload']) =>
      this.estimates.bulk(
        OwnerId,
        chainPlan({
          ...input,
          payload,
          ...(clickLinks && { clicks: { task: 0, links: clickLinks.shortUrls } }),
        }),
        recipients,
        pricing,
        spending,
      );
    const { variants } = input;
    let estimate = await estimateOf(payload);
    if (variants)
      estimate = dearer(estimate, await estimateOf({ ...payload, text: variants.text }));
    if (!estimate.recipients) {
      throw new AppError(emptyReason(estimate.skipped), undefined, {
        payload: { skipped: estimate.skipped },
      });
    }
    if (variants)
      checkVariants(variants, estimate.recipients, { input, schedule, now: this.clock.now() });
    const clicksBefore = await this.clicksBefore(OwnerId, input);
    return { recipients, estimate, clickLinks, clicksBefore };
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
    const { recipients, estimate, clickLinks, clicksBefore } = await this.estimate(
      OwnerId,
      checked,
    );
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
    const isLater = !!input.variants || stretchSeconds > 0 || (startsAt !== null && startsAt > now);
    const stored =
      (recipients.resend?.count ?? recipients.typed.length) + recipients.excludedPhones.size;
    const tasks = input.variants ? VARIANT_PARTS.length : 1;
    if (isLater)
      this.rates.countMessages(
        OwnerId,
        Math.ceil((tasks * (stored + 1)) / LATER_PER_COUNT),
        'laterBulk',
      );
    const excludedPhones = [...recipients.excludedPhones];
    const expected =
      estimate.recipients +
      Object.values(estimate.skipped).reduce((a, b) => a + b, 0) -
      recipients.invalid;
    const title =
      options?.title || `${type} ${now.toISOString().slice(0, 16).replace('T', ' ')} UTC`;
    const parts = input.variants
      ? partsOf(checked, { title, expected, clicksBefore, now })
      : [{ id: uuidv7(now), title, payload, schedule, startsAt, expected }];
    return this.db.transaction(async () => {
      await this.storage.claim(Object.keys(input.audioSeconds));
      const created: z.infer<typeof SendingTask>[] = [];
      for (const part of parts) {
        const { id } = part;
        const isLast = part === parts.at(-1);
        const clicks = clickLinks?.ids.length
          ? { task: await this.clickCodes.addTask(id, clickLinks), links: clickLinks.shortUrls }
          : undefined;
        const task = await this.tasks.create({
          id,
          OwnerId,
          userId: actor.userId,
          tokenId: input.tokenId ?? null,
          title: part.title,
          data: {
            sending: {
              type,
              groupId: id,
              payload: part.payload,
              fallbacks,
              audioSeconds,
              callbackData,
              schedule: part.schedule,
              options,
              smpp,
              callback,
              live,
              clicks,
              variants: part.variants,
            },
            recipients: {
              include: presentTyped(
                recipients.lists,
                recipients.savedSegments.included,
                recipients.typed,
                recipients.resend?.count,
              ),
              exclude: presentTyped(
                recipients.excludedLists,
                recipients.savedSegments.excluded,
                excludedPhones,
              ),
            },
          },
          audience: recipients.segments,
          phones: recipients.resend ? [] : recipients.typed,
          resendTo: recipients.resend?.to ?? null,
          excludedPhones,
          startsAt: part.startsAt,
          stretchSeconds,
          expected: part.expected,
          // The last part has the title of the whole.
          told: isLast ? expected : null,
          skipped: isLast && recipients.invalid ? { invalid: recipients.invalid } : {},
          now,
        });
        created.push({ ...task, groupId: id });
      }
      return created[0]!;
    });
  }

  /** Clicks of the links of both texts, if they decide. */
  private async clicksBefore(
    OwnerId: string,
    { payload, variants }: SendingInput,
  ): Promise<TaskVariants['clicksBefore']> {
    if (variants?.by !== 'clicked') return undefined;
    const texts = { A: payload.text!, B: variants.text };
    const { A, B } = await this.variants.clicksOf(OwnerId, texts);
    if (A !== null && B !== null) return { A, B };
    throw invalid(
      'variants.by',
      'unsupported',
      'Each text needs a short link of the account that the other one does not have.',
    );
  }
}

/** With the name of the text, a title is not longer than others. */
const MAX_PART_TITLE = 96;

/** What the tasks of one call do not have in common. */
interface Part extends Pick<SendingInput, 'payload' | 'schedule'> {
  id: string;
  title: string;
  startsAt: Date | null;
  expected: number;
  variants?: TaskVariants | undefined;
}

/** The bulks of one with two texts, of which the last waits for the figures of the others. */
function partsOf(
  { input, schedule: { startsAt, stretchSeconds } }: CheckedSending,
  {
    title,
    expected,
    clicksBefore,
    now,
  }: Pick<Part, 'title' | 'expected'> & Pick<EstimatedBulk, 'clicksBefore'> & { now: Date },
): Part[] {
  const { payload, schedule, variants } = input;
  const { text, share, by, hours } = variants!;
  const texts = { A: payload.text!, B: text };
  const tasks = { A: uuidv7(now), B: uuidv7(now), rest: uuidv7(now) };
  const slots = variantSlots(share);
  const half = Math.round((expected * share) / 200);
  const later = restAt(variants!, startsAt, now);
  return VARIANT_PARTS.map((part): Part => {
    const [from, to] = slots[part];
    const isRest = part === 'rest';
    return {
      id: tasks[part],
      title: isRest ? title : `${cutText(title, MAX_PART_TITLE)} (${part})`,
      payload: part === 'B' ? { ...payload, text } : payload,
      schedule: isRest
        ? { ...schedule, delay: later.toISOString(), until: stretchSeconds / 3600 }
        : schedule,
      startsAt: isRest ? later : startsAt,
      expected: isRest ? expected - 2 * half : half,
      variants: {
        part,
        texts,
        share,
        by,
        hours,
        tasks,
        slice: { seed: tasks.A, from, to },
        ...(clicksBefore && { clicksBefore }),
        chosen: null,
      },
    };
  });
}

/** The dearer of two texts, either of which may be that of nearly all. */
const dearer = (a: Estimate, b: Estimate): Estimate =>
  (a.enough === b.enough ? b.amount > a.amount : a.enough) ? b : a;

/** When the rest of a bulk with two texts starts. */
const restAt = ({ hours }: VariantsInput, startsAt: Date | null, now: Date): Date =>
  secondsAfter(startsAt ?? now, hours * 3600);

/** Refuses two texts that cannot be compared: too few get them, or the rest starts before they are sent or after it is valid. */
function checkVariants(
  variants: VariantsInput,
  recipients: number,
  { schedule, input, now }: Pick<CheckedSending, 'schedule' | 'input'> & { now: Date },
): void {
  const { share, hours } = variants;
  if (Math.floor((recipients * share) / 200) < MIN_VARIANT_RECIPIENTS)
    throw invalid(
      'variants.share',
      'too_small',
      `Each text needs at least ${MIN_VARIANT_RECIPIENTS} recipients.`,
    );
  if (hours * 3600 < schedule.stretchSeconds)
    throw invalid('variants.hours', 'order', 'The rest starts when the two texts are sent.');
  const validUntil = input.schedule?.validUntil;
  if (
    typeof validUntil === 'string' &&
    new Date(validUntil) <= restAt(variants, schedule.startsAt, now)
  )
    throw invalid('variants.hours', 'order', 'The messages must be valid when the rest starts.');
}
