import { isTariffValue, PACKAGE_TYPES } from '@heliograph/domain';
import * as z from 'zod';
import { ById, endpoint } from './endpoint.ts';
import { arrayOf, Currency, Id, Money, QueryBoolean, Time, Title, text } from './fields.ts';
import { listQuery, page } from './list.ts';

const MAX_NETWORKS = 500;
const MAX_UNITS = 100_000_000;
const MAX_DAYS = 3650;

/** The types of which packages have units. */
export const PackageType = z.enum(PACKAGE_TYPES);

/** What a package is for, what it has and costs. */
const OFFERED = {
  title: z.string(),
  types: z.array(PackageType),
  /** Networks (`25001`) and countries (`250*`) of its messages; empty for all. */
  mccmnc: z.array(z.string()),
  /** Segments of SMS and MMS, messages of other types. */
  units: z.int(),
  price: z.number(),
  currency: z.string(),
};

/** A prepaid package of messages that can be bought. */
export const PackageOffer = z.object({
  id: Id,
  ...OFFERED,
  /** How long a package lasts from its purchase. */
  days: z.int(),
  /** It can be bought. */
  isActive: z.boolean(),
  /** Of all packages of the offer; for those who define offers. */
  sales: z.object({ packages: z.int(), unitsLeft: z.int() }).optional(),
  createdAt: Time,
});
export type PackageOffer = z.infer<typeof PackageOffer>;

const network = text(7).refine((value) => isTariffValue('mccmnc', value), {
  message: 'Expected a network, or a country code followed by *.',
  params: { rule: 'invalid_value' },
});
export const PackageOfferInput = z.strictObject({
  title: Title,
  types: arrayOf(PackageType, { min: 1, max: PACKAGE_TYPES.length }),
  mccmnc: arrayOf(network, { max: MAX_NETWORKS }),
  units: z.int().min(1).max(MAX_UNITS),
  price: Money.positive(),
  currency: Currency,
  days: z.int().min(1).max(MAX_DAYS),
  isActive: z.boolean(),
});
export type PackageOfferInput = z.output<typeof PackageOfferInput>;

/** A package of an account, as its offer was then. */
export const MessagePackage = z.object({
  id: Id,
  OwnerId: Id,
  OfferId: Id,
  ...OFFERED,
  /** What messages have not taken, or have given back. */
  unitsLeft: z.int(),
  endsAt: Time,
  createdAt: Time,
});
export type MessagePackage = z.infer<typeof MessagePackage>;

export const PackageInput = z.strictObject({
  OfferId: Id,
  /** The price that was shown. */
  price: Money.positive(),
  /** Another account, to which a manager gives the package. */
  OwnerId: Id.optional(),
});
export type PackageInput = z.output<typeof PackageInput>;

const changing = {
  accept: 'managerUp',
  sessionOnly: true,
} as const;

export const packageOffers = {
  find: endpoint('GET', '/packageOffers', {
    query: listQuery({
      order: ['createdAt', 'title', 'price'],
      filter: { isActive: QueryBoolean },
      search: true,
      limit: 100,
    }),
    response: page(PackageOffer),
    can: 'packages.get',
    summary: 'List the packages that the account can buy; for managers, all offers',
  }),
  get: endpoint('GET', '/packageOffers/:id', {
    params: ById,
    response: PackageOffer,
    can: 'packages.get',
    summary: 'Get an offer that the account can buy; for managers, any offer',
  }),
  create: endpoint('POST', '/packageOffers', {
    body: PackageOfferInput,
    response: PackageOffer,
    status: 201,
    can: 'packageOffers.create',
    idempotent: true,
    audit: 'packageOffers.create',
    ...changing,
  }),
  replace: endpoint('PUT', '/packageOffers/:id', {
    params: ById,
    body: PackageOfferInput,
    response: PackageOffer,
    can: 'packageOffers.update',
    audit: 'packageOffers.replace',
    summary: 'Change an offer; packages that were bought stay as they are',
    ...changing,
  }),
};

export const packages = {
  find: endpoint('GET', '/packages', {
    query: listQuery({
      order: ['createdAt', 'endsAt'],
      filter: { OwnerId: Id },
      range: ['createdAt', 'endsAt'],
    }),
    response: page(MessagePackage),
    can: 'packages.get',
    owner: 'read',
  }),
  get: endpoint('GET', '/packages/:id', {
    params: ById,
    response: MessagePackage,
    can: 'packages.get',
  }),
  create: endpoint('POST', '/packages', {
    body: PackageInput,
    response: MessagePackage,
    status: 201,
    can: 'packages.create',
    owner: 'write',
    charges: true,
    idempotent: true,
    sessionOnly: true,
    audit: 'packages.create',
    summary: 'Buy a package from the balance, or give one to a managed account',
  }),
};
