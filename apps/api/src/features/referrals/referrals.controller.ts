import { Controller } from '@nestjs/common';
import { referrals, type ResponseOf } from '@heliograph/contract';
import type { Actor } from '../../core/auth/actor.ts';
import { CurrentActor, Endpoint, Input, type In } from '../../core/http/endpoint.ts';
import { ReferredAccountsService } from './referred-accounts.service.ts';

@Controller()
export class ReferralsController {
  constructor(private readonly accounts: ReferredAccountsService) {}

  @Endpoint(referrals.find)
  find(
    @CurrentActor() actor: Actor,
    @Input() { query }: In<typeof referrals.find>,
  ): Promise<ResponseOf<typeof referrals.find>> {
    return this.accounts.find(actor, query);
  }

  @Endpoint(referrals.statistics)
  statistics(
    @CurrentActor() actor: Actor,
    @Input() { query }: In<typeof referrals.statistics>,
  ): Promise<ResponseOf<typeof referrals.statistics>> {
    return this.accounts.statistics(actor, query.OwnerId);
  }
}
