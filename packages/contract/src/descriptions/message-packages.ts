import { as, id, inEach, sum, time, type Description } from './description.ts';

const SCHEMAS = ['PackageOffer', 'PackageOfferInput', 'MessagePackage'];

export const MESSAGE_PACKAGES: Record<string, Description> = {
  PackageType: as('Type of messages that packages have units of.'),
  PackageOffer: as('Prepaid package of messages that can be bought.'),
  PackageOfferInput: as('Offer of a package, as a whole.'),
  MessagePackage: as('Prepaid package of an account, as its offer was when it was bought.'),
  ...inEach(SCHEMAS, {
    title: as('Name of the package.', 'A thousand SMS'),
    types: as('Types of messages that the package covers.', ['sms']),
    mccmnc: as(
      'Networks (`25001`) and countries (`250*`) of messages that the package covers. Empty for all.',
      ['250*'],
    ),
    units: as('Number of units: segments of SMS and MMS, messages of other types.', 1000),
    currency: as('Currency of the price, ISO 4217. Accounts of this currency can buy it.', 'RUB'),
  }),
  'PackageOffer.id': id('Id of the offer.'),
  'PackageOffer.price': as('Price of the package, in its currency.', 2500),
  'PackageOfferInput.price': as('Price of the package, in its currency.', 2500),
  'MessagePackage.price': as('What was paid for the package. 0 if it was given.', 2500),
  ...inEach(['PackageOffer', 'PackageOfferInput'], {
    days: as('Number of days that the package lasts from its purchase.', 30),
    isActive: as('True if the package can be bought.'),
  }),
  'PackageOffer.sales': as(
    'How much of the offer was sold. For administrators who define offers; otherwise absent.',
  ),
  'PackageOffer.sales.packages': as('Number of packages that were bought or given.', 12),
  'PackageOffer.sales.unitsLeft': as('Units left in those that have not ended.', 7400),
  'PackageOffer.createdAt': time('Time at which the offer was added.'),
  'MessagePackage.id': id('Id of the package.'),
  'MessagePackage.OfferId': id('Offer by which it was bought.'),
  'MessagePackage.unitsLeft': as('Units that no message has taken.', 640),
  'MessagePackage.endsAt': time(
    'Time from which the package covers no messages. Units left expire.',
  ),
  'MessagePackage.createdAt': time('Time of the purchase.'),
  PackageInput: as('Purchase of a package.'),
  'PackageInput.OfferId': id('Offer of the package.'),
  'PackageInput.price': sum(
    'Price that was shown. Refused with `conflict` if the package has another price by now.',
    2500,
  ),
  'PackageInput.OwnerId': id(
    'Another account, to which a manager gives the package: nothing is paid then. Defaults to the own account, which pays.',
  ),
  'packageOffers.find.?isActive': as(
    'Return only offers that can be bought, or only others.',
    'true',
  ),
  'packageOffers.find.data': as('Offers of the page.'),
  'packages.find.?endsAt': as(
    'Range of the end: `endsAt[$gt]` is the lower bound, `endsAt[$lt]` the upper; both are exclusive.',
    {
      $gt: '2026-11-22T09:15:00.000Z',
    },
  ),
  'packages.find.data': as('Packages of the page.'),
  'Billing.PackageId': id(
    'Package that covers the message, whose amount is 0 then. Absent for other entries.',
  ),
  'Billing.package': as('Name of the package that covers the message.', 'A thousand SMS'),
  'TariffProbe.PackageId': id(
    'Package of the account that covers the message, which then costs nothing. Absent if none does.',
  ),
  'Estimate.covered': as(
    'What prepaid packages cover of the first attempts. Absent if they cover nothing.',
  ),
  'Estimate.covered.count': as('Number of messages that packages cover.', 640),
  'Estimate.covered.units': as('Number of units that they take.', 640),
  'Estimate.covered.amount': sum('What these messages would cost.', 2240),
  'Estimate.covered.toPay': sum('Total price of the other first attempts.', 1204),
};
