import { Controller } from '@nestjs/common';
import { billings, type ResponseOf, type Billing as Wire } from '@heliograph/contract';
import { maskName } from '@heliograph/domain';
import type { Actor } from '../../core/auth/actor.ts';
import { Owners } from '../../core/auth/owners.ts';
import { Endpoint, Input, CurrentActor, type In } from '../../core/http/endpoint.ts';
import { present, type Billing } from './billing.entity.ts';
import { BalancesStore } from './balances.store.ts';
import { BillingsService } from './billings.service.ts';
import { BillingsStore, type ReferralOfEntry } from './billings.store.ts';
import { ManualEntriesService } from './manual-entries.service.ts';

@Controller()
export class BillingsController {
  constructor(
    private readonly service: BillingsService,
    private readonly manual: ManualEntriesService,
    private readonly store: BillingsStore,
    private readonly balances: BalancesStore,
    private readonly owners: Owners,
  ) {}

  @Endpoint(billings.find)
  async find(
    @CurrentActor() actor: Actor,
    @Input() { query }: In<typeof billings.find>,
  ): Promise<ResponseOf<typeof billings.find>> {
    const page = await this.store.find(actor.scope, query);
    const data = await this.shown(page.data, actor);
    if (!query.scope.includes('referral')) return { ...page, data };
    const referrals = await this.store.referralsOf(data.map(({ id }) => id));
    return { ...page, data: data.map((entry) => withReferral(entry, referrals.get(entry.id))) };
  }

  @Endpoint(billings.totals)
  totals(
    @CurrentActor() actor: Actor,
    @Input() { query }: In<typeof billings.totals>,
  ): Promise<ResponseOf<typeof billings.totals>> {
    return this.service.totals(actor, query);
  }

  @Endpoint(billings.balance)
  async balance(
    @CurrentActor() actor: Actor,
    @Input() { params }: In<typeof billings.balance>,
  ): Promise<ResponseOf<typeof billings.balance>> {
    const row = await this.balances.balance(actor.scope, params.id);
    const balance = Number(row.balance);
    return { result: balance, balance, overdraft: Number(row.overdraft) };
  }

  @Endpoint(billings.get)
  async get(
    @CurrentActor() actor: Actor,
    @Input() { params }: In<typeof billings.get>,
  ): Promise<ResponseOf<typeof billings.get>> {
    return this.one(actor, params.id);
  }

  @Endpoint(billings.create)
  async create(
    @CurrentActor() actor: Actor,
    @Input() { body }: In<typeof billings.create>,
  ): Promise<ResponseOf<typeof billings.create>> {
    const { id } = await this.manual.create(actor, body);
    return this.one(actor, id);
  }

  private async one(actor: Actor, id: string): Promise<Wire> {
    const [entry] = await this.shown([await this.store.get(actor.scope, id)], actor);
    return entry!;
  }

  private async shown(rows: Billing[], { level, userId }: Actor): Promise<Wire[]> {
    return (await this.owners.withOwners(level, rows)).map((row) =>
      present(row, level, level === 'manager' || row.createdBy === userId),
    );
  }
}

/** The referred account is another person's: its name is masked. */
function withReferral(entry: Wire, referral: ReferralOfEntry | undefined): Wire {
  if (!referral) return entry;
  const { username, ...shown } = referral;
  return { ...entry, meta: { ...entry.meta, referral: { name: maskName(username), ...shown } } };
}
