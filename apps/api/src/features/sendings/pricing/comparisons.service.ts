import { Injectable } from '@nestjs/common';
import {
  MAX_COMPARISON_ROWS,
  priceRuleNeeds,
  type ComparisonRow,
  type TariffComparison,
  type TariffComparisonInput,
} from '@heliograph/contract';
import { moneyToNumber, parseMoney, typeOf } from '@heliograph/domain';
import type { RateLimiterRedis } from 'rate-limiter-flexible';
import { requireAll, type Actor } from '../../../core/auth/actor.ts';
import { Clock } from '../../../core/clock.ts';
import { Db } from '../../../core/db/db.ts';
import { invalid, notFound } from '../../../core/errors.ts';
import { Jobs } from '../../../core/jobs/queue.ts';
import { RateLimits, take } from '../../../core/rate-limits.ts';
import { CatalogueService, setterOf } from '../../tariffs/catalogue.service.ts';
import { draftRules, type ComparedTariff } from '../../tariffs/tariffs.service.ts';
import { ComparisonsStore, type ComparisonSumsRow } from './comparisons.store.ts';
import { operatorByCode } from './operators.ts';

/** Comparisons of an account per hour: each may read all messages of a month. */
const LIMIT = 60;

/** Comparisons of tariffs: a user has one, which a worker computes. */
@Injectable()
export class ComparisonsService {
  private readonly limit: RateLimiterRedis;

  constructor(
    private readonly db: Db,
    private readonly store: ComparisonsStore,
    private readonly catalogue: CatalogueService,
    private readonly jobs: Jobs,
    private readonly clock: Clock,
    limits: RateLimits,
  ) {
    this.limit = limits.of('comparisons', LIMIT, 3600);
  }

  async create(actor: Actor, input: TariffComparisonInput): Promise<TariffComparison> {
    const first = await this.catalogue.compared(actor, input.first);
    const second = await this.second(actor, first, input.second);
    // One account is the customer of one reseller.
    if (first.ResellerId && second.ResellerId && first.ResellerId !== second.ResellerId)
      throw invalid('second', 'invalid_value', 'The tariffs are those of two resellers.');
    requireAll(actor, priceRuleNeeds([...first.rules, ...second.rules]));
    await take(this.limit, actor.OwnerId);
    const id = await this.db.transaction(async () => {
      this.jobs.enqueue('tariffs.compare', {});
      return this.store.replace(
        {
          OwnerId: actor.OwnerId,
          UserId: actor.userId,
          ResellerId: setterOf(actor),
          sides: [first, second],
          AccountId: input.OwnerId ?? null,
          startsAt: new Date(input.from),
          endsAt: new Date(input.to),
        },
        this.clock.now(),
      );
    });
    return this.get(actor, id);
  }

  /** Of an account, by type and network; else by account. */
  async get(actor: Actor, id: string, OwnerId?: string): Promise<TariffComparison> {
    const { scope } = actor;
    const found = await this.store.ofUser(actor.userId, id);
    if (!found) throw notFound();
    const { state, startsAt, endsAt, processed, total, isCut } = found;
    const totals = await this.store.sums(id, scope, 'currency', MAX_COMPARISON_ROWS);
    const by = OwnerId ? { OwnerId } : 'account';
    const rows = await this.store.sums(id, scope, by, MAX_COMPARISON_ROWS + 1);
    return {
      id,
      state,
      from: startsAt.toISOString(),
      to: endsAt.toISOString(),
      processed,
      total,
      isCut,
      totals: totals.map(presentAmounts),
      data: rows.slice(0, MAX_COMPARISON_ROWS).map(presentRow),
      hasMore: rows.length > MAX_COMPARISON_ROWS,
    };
  }

  /** A draft is a version of the first tariff. */
  private second(
    actor: Actor,
    first: ComparedTariff,
    given: TariffComparisonInput['second'],
  ): Promise<ComparedTariff> | ComparedTariff {
    if (!('draft' in given)) return this.catalogue.compared(actor, given);
    const { source, rules } = given.draft;
    return { ...first, source, version: 0, rules: draftRules(rules) };
  }
}

function presentAmounts(row: ComparisonSumsRow): TariffComparison['totals'][number] {
  const { currency, messages, compared, withoutFirst, withoutSecond, unknown } = row;
  const [billed, first, second] = [row.billed, row.first, row.second].map(parseMoney) as [
    bigint,
    bigint,
    bigint,
  ];
  const difference = second - first;
  return {
    currency,
    messages,
    compared,
    billed: moneyToNumber(billed),
    first: moneyToNumber(first),
    second: moneyToNumber(second),
    difference: moneyToNumber(difference),
    percent: first ? Number(((Number(difference) / Number(first)) * 100).toFixed(2)) : null,
    withoutFirst,
    withoutSecond,
    unknown,
  };
}

function presentRow(row: ComparisonSumsRow): ComparisonRow {
  const { OwnerId, username, type, mccmnc } = row;
  const network = mccmnc ? operatorByCode(mccmnc) : null;
  return {
    OwnerId,
    username,
    type: type === null ? null : typeOf(type),
    mccmnc: mccmnc || null,
    operator: network?.name ?? null,
    country: network?.country ?? null,
    ...presentAmounts(row),
  };
}
