import { Injectable } from '@nestjs/common';
import type {
  PackageInput,
  PackageOffer as Wire,
  PackageOfferInput,
  packageOffers,
  Page,
} from '@heliograph/contract';
import { formatMoney, PACKAGE_NOTICE_DAYS, parseMoney, typeCode } from '@heliograph/domain';
import { Audit } from '../../core/audit/audit.ts';
import { may, requirePermission, type Actor } from '../../core/auth/actor.ts';
import { Clock } from '../../core/clock.ts';
import { Db } from '../../core/db/db.ts';
import { AppError, notFound } from '../../core/errors.ts';
import type { In } from '../../core/http/endpoint.ts';
import { uuidv7 } from '../../core/uuid.ts';
import { BillingsService } from '../billings/billings.service.ts';
import { SettingsService } from '../settings/settings.service.ts';
import { UsersService } from '../users/users.service.ts';
import type { MessagePackage } from './message-package.entity.ts';
import { MessagePackagesStore } from './message-packages.store.ts';
import { present, type PackageOffer } from './package-offer.entity.ts';
import { PackageOffersStore } from './package-offers.store.ts';

const DAY_MS = 86_400_000;

/** Offers of prepaid packages of messages, and their purchases. */
@Injectable()
export class PackagesService {
  constructor(
    private readonly db: Db,
    private readonly clock: Clock,
    private readonly offers: PackageOffersStore,
    private readonly store: MessagePackagesStore,
    private readonly billings: BillingsService,
    private readonly settings: SettingsService,
    private readonly users: UsersService,
    private readonly audit: Audit,
  ) {}

  /** What the account of the actor can buy; a manager sees all, since it sells them. */
  async findOffers(
    actor: Actor,
    query: In<typeof packageOffers.find>['query'],
  ): Promise<Page<PackageOffer>> {
    if (actor.level === 'manager') return this.offers.find(query);
    const currency = await this.buysIn(actor.OwnerId);
    if (!currency)
      return { data: [], total: 0, totalIsCapped: false, limit: query.limit, offset: query.offset };
    return this.offers.find(query, currency);
  }

  /** One that the list would show. */
  async getOffer(actor: Actor, id: string): Promise<PackageOffer> {
    const offer = await this.offers.get(id);
    if (actor.level === 'manager') return offer;
    if (!offer.isActive || offer.currency !== (await this.buysIn(actor.OwnerId))) throw notFound();
    return offer;
  }

  /** What was sold is for those who define offers: it is of other accounts. */
  async presentOffers(actor: Actor, offers: PackageOffer[]): Promise<Wire[]> {
    if (!may(actor, 'packageOffers.update', 'managerUp')) return offers.map((one) => present(one));
    const sales = await this.offers.sales(
      offers.map(({ id }) => id),
      this.clock.now(),
    );
    return offers.map((one) => present(one, sales.get(one.id) ?? { packages: 0, unitsLeft: 0 }));
  }

  createOffer(input: PackageOfferInput): Promise<PackageOffer> {
    return this.db.transaction(async () => {
      const offer = await this.offers.save(rowOf(input));
      await this.record(offer);
      return offer;
    });
  }

  /** Packages that were bought are not changed. */
  replaceOffer(id: string, input: PackageOfferInput): Promise<PackageOffer> {
    return this.db.transaction(async () => {
      const before = await this.offers.lock(id);
      const offer = await this.offers.save({ id, ...rowOf(input) });
      await this.record(offer, before);
      return offer;
    });
  }

  /**
   * Buys a package for the account of the actor from its balance, or gives one to another account, which then costs nothing. Customers of
   * resellers cannot buy: they pay the prices of their resellers. Refused with `conflict` when the offer costs another price by now.
   */
  create(actor: Actor, input: PackageInput): Promise<MessagePackage> {
    const { OwnerId = actor.OwnerId } = input;
    const isGift = OwnerId !== actor.OwnerId;
    if (isGift) requirePermission(actor, 'billings.generate', 'managerUp');
    return this.db.transaction(async () => {
      await this.users.requireOpen(OwnerId);
      const { currency } = await this.settings.ofAccount(OwnerId);
      const offer = await this.offers.get(input.OfferId);
      const isOffered = offer.isActive && offer.currency === currency;
      if (!isOffered || (!isGift && (await this.users.hasReseller(OwnerId)))) throw notFound();
      if (parseMoney(offer.price) !== parseMoney(input.price))
        throw new AppError('conflict', 'The package has another price now');
      const now = this.clock.now();
      const id = uuidv7(now);
      const { title, types, mccmnc, units } = offer;
      const row = await this.store.create({
        id,
        OwnerId,
        OfferId: offer.id,
        title,
        types,
        mccmnc,
        units,
        unitsLeft: units,
        price: isGift ? '0' : offer.price,
        currency,
        payerId: isGift ? null : OwnerId,
        createdBy: actor.userId,
        endsAt: new Date(now.getTime() + offer.days * DAY_MS),
        endingNotified: offer.days <= PACKAGE_NOTICE_DAYS,
      });
      const after = { title, units, price: isGift ? 0 : input.price, currency };
      await this.audit.record({ OwnerId, target: ['message_packages', id], after });
      // The balance is the last lock of a transaction.
      await this.billings.addPackage(
        OwnerId,
        isGift
          ? null
          : {
              OwnerId,
              amount: -parseMoney(offer.price),
              origin: { type: 'package', id },
              comment: title,
              createdBy: actor.userId,
            },
      );
      return row;
    });
  }

  /** Null for customers of resellers, who buy nothing. */
  private async buysIn(OwnerId: string): Promise<string | null> {
    if (await this.users.hasReseller(OwnerId)) return null;
    return (await this.settings.ofAccount(OwnerId)).currency;
  }

  private record(offer: PackageOffer, before?: PackageOffer): Promise<void> {
    return this.audit.record({
      target: ['package_offers', offer.id],
      ...(before && { before: present(before) }),
      after: present(offer),
    });
  }
}

const rowOf = ({ types, price, ...input }: PackageOfferInput): Partial<PackageOffer> => ({
  ...input,
  types: [...new Set(types)].map(typeCode),
  price: formatMoney(parseMoney(price)),
});
