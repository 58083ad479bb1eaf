import { Injectable } from '@nestjs/common';
import type { ResendAudience, TaskOutcome, TaskState, TaskVariants } from '@heliograph/contract';
import {
  eventSteps,
  moneyToNumber,
  parseMoney,
  REPLY_WINDOW_SECONDS,
  typeCode,
  typeOf,
  type Operator,
} from '@heliograph/domain';
import { may, type Actor } from '../../../core/auth/actor.ts';
import { isTimeout } from '../../../core/db/db.ts';
import { TtlCache } from '../../../core/ttl-cache.ts';
import { ClickCodesService } from '../../links/click-codes.service.ts';
import { LinksService } from '../../links/links.service.ts';
import { TasksService, type ResendCounts } from '../../tasks/tasks.service.ts';
import { VariantsService } from '../../tasks/variants.service.ts';
import { addressField, typesOf, type StoredSending } from '../plan.ts';
import { operators } from '../pricing/operators.ts';
import {
  TaskOutcomeStore,
  type AttemptFigures,
  type RangeFigures,
  type RelatedTask,
  type TaskFigures,
} from './task-outcome.store.ts';

const MAX_OPERATORS = 50;
/** A bulk is summed up again after this many times what it took, so that any number of pages that show it cost a tenth of a core. */
const REST = 10;

interface LoadedFigures extends TaskFigures {
  resendable: Record<ResendAudience, ResendCounts | null>;
  clicked: Awaited<ReturnType<ClickCodesService['recipientsOf']>>;
}

/** How a bulk went: summed up from its rows, once for all who look at it. */
@Injectable()
export class TaskOutcomeService {
  private readonly figures = new TtlCache<LoadedFigures>(
    (key) => this.load(key),
    (tookMs) => Math.max(1000, tookMs * REST),
  );

  constructor(
    private readonly tasks: TasksService,
    private readonly store: TaskOutcomeStore,
    private readonly links: LinksService,
    private readonly clickCodes: ClickCodesService,
    private readonly variants: VariantsService,
  ) {}

  async get(actor: Actor, id: string): Promise<TaskOutcome> {
    const task = await this.tasks.getBulk(actor, id);
    const { OwnerId, data, state } = task;
    const sending = data.sending as unknown as StoredSending;
    const variants = data.sending?.variants;
    const { origin, resends } = await this.store.related(id);
    // Its end is seen at once, and a new bulk to some of its recipients: nothing moves afterwards that would have it summed up again.
    const isOver = task.completed + task.errored + task.cancelled === task.total;
    const moment = [state, isOver, resends[0]?.id ?? ''].join();
    const end = !task.finishedAt ? 'open' : sending.clicks ? 'tells' : 'ended';
    const key = [id, OwnerId, moment, end, ...typesOf(sending)].join(' ');
    const { attempts, ranges, events, resendable, clicked } = await this.figures.get(key);
    const { seconds, steps } = eventSteps(events);
    const seesLinks = may(actor, 'links.get');
    const found = seesLinks ? await this.links.inText(actor, textsOf(sending)) : [];
    return {
      attempts: attempts.map(presentAttempt),
      operators: presentOperators(ranges),
      timeline: {
        seconds,
        steps: steps.map((step) => ({ ...step, at: new Date(step.at).toISOString() })),
      },
      cost: costOf(attempts),
      retry: presentResendable(resendable.failed)!,
      unclicked: presentResendable(resendable.unclicked),
      unseen: presentResendable(resendable.unseen),
      links: found.map(({ id, url, shortUrl, clicks }) => ({
        id,
        url,
        shortUrl,
        clicks,
        clickedBy: sending.clicks ? (clicked.of.get(id) ?? 0) : null,
      })),
      clickedBy: sending.clicks ? clicked.any : null,
      ...(variants && { variants: await this.variantsOf(OwnerId, variants, seesLinks) }),
      origin: origin && presentRelated(origin),
      resends: resends.map(presentRelated),
    };
  }

  private async variantsOf(
    OwnerId: string,
    variants: TaskVariants,
    seesClicks: boolean,
  ): Promise<TaskOutcome['variants']> {
    const { A, B } = await this.variants.figures(OwnerId, variants);
    return seesClicks ? { A, B } : { A: { ...A, clicks: null }, B: { ...B, clicks: null } };
  }

  /** Of all who may read the bulk: nothing in it depends on the reader. */
  private async load(key: string): Promise<LoadedFigures> {
    const [id, OwnerId, , end, ...types] = key.split(' ') as [
      string,
      string,
      string,
      'open' | 'tells' | 'ended',
      StoredSending['type'],
    ];
    const to = { taskId: id, field: addressField(types[0]), types: types.map(typeCode) };
    const count = (audience: ResendAudience) => this.tasks.countResendable({ ...to, audience });
    const figures = await this.store.figures(id, OwnerId, operators(), REPLY_WINDOW_SECONDS * 1000);
    const tellsSeen = figures.attempts.some(({ seen }) => seen > 0);
    // These look at all who were reached: of a very large bulk that takes too long, and the rest is told without them.
    const countReached = (audience: ResendAudience) =>
      count(audience).catch((error: unknown) => {
        if (isTimeout(error)) return null;
        throw error;
      });
    const resendable = {
      failed: await count('failed'),
      unclicked: end === 'tells' ? await countReached('unclicked') : null,
      unseen: end !== 'open' && tellsSeen ? await countReached('unseen') : null,
    };
    return { ...figures, resendable, clicked: await this.clickCodes.recipientsOf(id) };
  }
}

/** What is sent, without the texts that were only to choose from. */
const textsOf = ({ payload, fallbacks }: StoredSending): string =>
  JSON.stringify([payload, fallbacks]);

const presentResendable = (counts: ResendCounts | null) =>
  counts && {
    count: counts.count,
    unsubscribed: counts.skipped.unsubscribed,
    reached: counts.skipped.reached,
  };

function presentAttempt(figures: AttemptFigures): TaskOutcome['attempts'][number] {
  const {
    charged: _,
    reserved: _reserved,
    refunded: _refunded,
    covered: _covered,
    ...counts
  } = figures;
  const { count, delivered, failed, cancelled } = counts;
  return {
    ...counts,
    type: typeOf(figures.type),
    pending: count - delivered - failed - cancelled,
  };
}

function costOf(attempts: AttemptFigures[]): TaskOutcome['cost'] {
  const sum = (name: 'charged' | 'reserved' | 'refunded') =>
    attempts.reduce((total, figures) => total + parseMoney(figures[name]), 0n);
  const [charged, reserved, refunded] = [sum('charged'), sum('reserved'), sum('refunded')];
  return {
    charged: moneyToNumber(charged),
    spent: moneyToNumber(charged - reserved - refunded),
    reserved: moneyToNumber(reserved),
    refunded: moneyToNumber(refunded),
    covered: attempts.reduce((total, figures) => total + figures.covered, 0),
  };
}

/** Ranges of one operator together; operators of unknown names and numbers without one are a row of their country, or of none. */
function presentOperators(ranges: RangeFigures[]): TaskOutcome['operators'] {
  const table = operators().operators;
  const of = ({ range }: RangeFigures): Operator | null =>
    range === null || range === 0 ? null : (table[range - 1] ?? null);
  return [...Map.groupBy(ranges, (range) => of(range)?.mccmnc ?? '')]
    .map(([mccmnc, rows]) => {
      const operator = of(rows[0]!);
      const sum = (name: 'count' | 'delivered' | 'failed' | 'cancelled') =>
        rows.reduce((total, row) => total + row[name], 0);
      return {
        mccmnc: mccmnc || null,
        name: operator?.name || null,
        country: operator?.country ?? null,
        count: sum('count'),
        delivered: sum('delivered'),
        failed: sum('failed'),
        cancelled: sum('cancelled'),
      };
    })
    .sort((a, b) => b.count - a.count || (a.mccmnc ?? '').localeCompare(b.mccmnc ?? ''))
    .slice(0, MAX_OPERATORS);
}

const presentRelated = ({ createdAt, state, ...task }: RelatedTask) => ({
  ...task,
  state: state as TaskState,
  createdAt: createdAt.toISOString(),
});
