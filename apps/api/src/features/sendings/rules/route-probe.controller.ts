import { Controller } from '@nestjs/common';
import { routes, type ResponseOf } from '@heliograph/contract';
import { compileContent, moneyToNumber } from '@heliograph/domain';
import type { Actor } from '../../../core/auth/actor.ts';
import { Clock } from '../../../core/clock.ts';
import { CurrentActor, Endpoint, Input, type In } from '../../../core/http/endpoint.ts';
import { uuidv7 } from '../../../core/uuid.ts';
import { ChargesService } from '../../billings/charges.service.ts';
import { SettingsService } from '../../settings/settings.service.ts';
import { addressOf } from '../plan.ts';
import { operatorByCode } from '../pricing/operators.ts';
import { atVolume } from '../pricing/pay.ts';
import { PricingService } from '../pricing/pricing.service.ts';
import { quote } from '../pricing/quote.ts';
import { RoutingService } from './routing.service.ts';

/** Which way a message would go, by the functions that route and price those that are sent. */
@Controller()
export class RouteProbeController {
  constructor(
    private readonly routing: RoutingService,
    private readonly pricing: PricingService,
    private readonly charges: ChargesService,
    private readonly settings: SettingsService,
    private readonly clock: Clock,
  ) {}

  @Endpoint(routes.probe)
  async probe(
    @CurrentActor() actor: Actor,
    @Input() { body }: In<typeof routes.probe>,
  ): Promise<ResponseOf<typeof routes.probe>> {
    const { OwnerId = actor.OwnerId, type, kind, sender, text } = body;
    const { country, currency } = await this.settings.ofAccount(OwnerId);
    const recipient = addressOf(type, body.recipient, country) ?? body.recipient;
    const payload = { sender, text };
    const content = compileContent(type, payload);
    const attempt = {
      type,
      sender,
      payload,
      content,
      hasLink: false,
      hasClickCodes: false,
      audioSeconds: null,
    };
    const listed = quote(attempt, recipient, {}, [], await this.pricing.of(OwnerId));
    const at = this.clock.now();
    const volumes = await this.charges.volumesOf(OwnerId, at);
    const { quote: priced } = atVolume({ volumes }, { OwnerId }, { type, quote: listed, at });
    const { amount, operator } = priced;
    const message = { id: uuidv7(), address: recipient };
    const {
      place: { lookedUpAt, isAsked: _, ...place },
      ...explained
    } = await this.routing.explain({ OwnerId, type, sender, kind }, message);
    return {
      recipient,
      ...place,
      operator: lookedUpAt ? (operatorByCode(place.mccmnc!)?.name ?? null) : operator,
      lookedUpAt: lookedUpAt?.toISOString() ?? null,
      ...explained,
      amount: amount === null ? null : moneyToNumber(amount),
      currency,
    };
  }
}
