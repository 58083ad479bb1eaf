import { Controller } from '@nestjs/common';
import { tariffs, type ResponseOf } from '@heliograph/contract';
import { compileContent, moneyToNumber, normalizePhone } from '@heliograph/domain';
import { may, type Actor } from '../../../core/auth/actor.ts';
import { Clock } from '../../../core/clock.ts';
import { CurrentActor, Endpoint, Input, type In } from '../../../core/http/endpoint.ts';
import { ChargesService, Volumes } from '../../billings/charges.service.ts';
import { SettingsService } from '../../settings/settings.service.ts';
import { TariffsService } from '../../tariffs/tariffs.service.ts';
import { PriceListService } from './price-list.service.ts';
import { PricingService } from './pricing.service.ts';
import { atVolume } from './pay.ts';
import { quote, type Quote } from './quote.ts';

/** What is asked of prices before they are saved or charged: which rules price a message, and what a price list makes of rules. */
@Controller()
export class ProbeController {
  constructor(
    private readonly pricing: PricingService,
    private readonly tariffs: TariffsService,
    private readonly settings: SettingsService,
    private readonly priceLists: PriceListService,
    private readonly charges: ChargesService,
    private readonly clock: Clock,
  ) {}

  @Endpoint(tariffs.priceList)
  priceList(
    @CurrentActor() actor: Actor,
    @Input() { body }: In<typeof tariffs.priceList>,
  ): Promise<ResponseOf<typeof tariffs.priceList>> {
    return this.priceLists.preview(actor, body);
  }

  @Endpoint(tariffs.probe)
  async probe(
    @CurrentActor() actor: Actor,
    @Input() { body }: In<typeof tariffs.probe>,
  ): Promise<ResponseOf<typeof tariffs.probe>> {
    const { OwnerId = actor.OwnerId, type, sender, text, recipient, contactLists = [] } = body;
    const account = await this.settings.ofAccount(OwnerId);
    const address = normalizePhone(recipient, account.country) ?? recipient;
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
    const { book, rules } = body.draft
      ? this.tariffs.ofDraft(body.draft)
      : await this.tariffs.namedOf(OwnerId);
    const pricing = { ...(await this.pricing.of(OwnerId)), book };
    const priced = quote(attempt, address, {}, contactLists, pricing);
    const now = this.clock.now();
    const volumes = await this.volumes(OwnerId, priced, body, now);
    const { quote: charged, steps } = atVolume(
      { volumes },
      { OwnerId },
      { type, quote: priced, at: now },
    );
    const { price, amount, multiplier, mccmnc, operator, group, ruleIds } = charged;
    const covers = amount && !body.draft && may(actor, 'packages.get');
    const funds = covers ? await this.charges.funds([OwnerId], () => [now], false) : null;
    const message = { type, mccmnc, units: multiplier };
    const cover = funds?.cover({ OwnerId, tokenId: null }, message, amount!, now);
    return {
      ...(cover && 'packageId' in cover && { PackageId: cover.packageId }),
      ...(steps && { volume: steps }),
      price: price.length ? price.map(moneyToNumber) : null,
      multiplier,
      amount: amount === null ? null : moneyToNumber(amount),
      currency: account.currency,
      mccmnc,
      operator,
      group,
      rules: ruleIds.flatMap((id) => rules.get(id) ?? []),
    };
  }

  /** As stated, or as they are. By a draft nothing was billed. */
  private async volumes(
    OwnerId: string,
    { stepped }: Quote,
    { volume, draft }: In<typeof tariffs.probe>['body'],
    at: Date,
  ): Promise<Volumes> {
    if (stepped && volume !== undefined) return Volumes.stated(OwnerId, stepped, volume, at);
    return stepped && !draft ? this.charges.volumesOf(OwnerId, at) : new Volumes([]);
  }
}
