import { as, id, inEach, time, type Description } from './description.ts';

export const PURCHASE_PRICES: Record<string, Description> = {
  PurchasePrice: as('What a carrier takes for messages to a destination.'),
  'PurchasePrice.type': as('Message type.', 'voice'),
  'PurchasePrice.destination': as(
    'Where the price holds: a network (`25001`), numbers that begin so (`+7916`), all networks of a mobile country code (`250*`), a country (`RU`), or all others (`*`). The narrowest one decides.',
    '25001',
  ),
  'PurchasePrice.price': as(
    'Price of a segment of an SMS or MMS, or of a message of another type, in the currency of the list, with up to six decimals. With `byLength`, that of a minute.',
    0.0485,
  ),
  'PurchasePrice.byLength': as(
    'Of calls: the carrier bills their length by these intervals. Until a report tells the length, the cost is that of the text or recording; a call that failed costs nothing. Absent: a call has one price.',
    { first: 60, interval: 1 },
  ),
  PurchasePriceList: as('Price list of a carrier.'),
  'PurchasePriceList.id': id('Id of the price list.'),
  'PurchasePriceList.ChannelId': as('Name of the channel.', 'carrier'),
  'purchasePrices.get.ChannelId': as('Name of the channel.', 'carrier'),
  'PurchasePriceList.currency': as('Currency of the prices, ISO 4217.', 'EUR'),
  'PurchasePriceList.validFrom': time(
    'Time from which the prices hold, until a later list of the channel begins.',
  ),
  'PurchasePriceList.isInForce': as('True if the prices hold now.'),
  'purchasePrices.get.isInForce': as('True if the prices hold now.'),
  'PurchasePriceList.count': as('Number of prices.', 1240),
  'purchasePrices.get.count': as('Number of prices.', 1240),
  'PurchasePriceList.createdAt': time('Time at which the list was added.'),
  'purchasePrices.get.id': id('Id of the price list.'),
  'purchasePrices.get.currency': as('Currency of the prices, ISO 4217.', 'EUR'),
  'purchasePrices.get.validFrom': time(
    'Time from which the prices hold, until a later list of the channel begins.',
  ),
  'purchasePrices.get.createdAt': time('Time at which the list was added.'),
  'purchasePrices.get.prices': as('Prices of the list.'),
  'purchasePrices.find.?validFrom': as(
    'Range of the start: `validFrom[$gt]` is the lower bound, `validFrom[$lt]` the upper; both are exclusive.',
    { $gt: '2026-11-22T09:15:00.000Z' },
  ),
  'purchasePrices.find.data': as('Price lists of the page.'),
  PurchasePriceListInput: as('A price list with all its prices.'),
  'PurchasePriceListInput.currency': as('Currency of the prices, ISO 4217.', 'EUR'),
  'PurchasePriceListInput.validFrom': time('Time from which the prices hold. By default now.'),
  'PurchasePriceListInput.prices': as(
    'All prices of the list, each of another type or destination.',
  ),
  'PurchasePriceListInput.isPartial': as(
    'True if the other prices of the list that is in force at `validFrom` are kept; its currency is that of these. By default the list has only the prices that are given.',
  ),
  'preview.from': as('File of the price list.'),
  'preview.from.key': id('Id of an uploaded file: a workbook (.xlsx) or a text file.'),
  'purchasePrices.preview.sheet': as(
    'Name of the sheet to read. By default the first one with a header of prices.',
    'Prices',
  ),
  'purchasePrices.preview.currency': as('Currency of the prices, ISO 4217.', 'EUR'),
  'purchasePrices.preview.validFrom': time(
    'Time from which the prices are to hold: they are compared with those of the list that is in force then. By default now.',
  ),
  'purchasePrices.preview.type': as('Message type of rows that name none.'),
  isPartial: as(
    'True if prices that are in force at `validFrom` and not in the file are kept; their currency is that of the file. By default the file replaces all.',
  ),
  PurchasePriceListPreview: as('What a file would make of the prices of a channel.'),
  'PurchasePriceListPreview.prices': as(
    'All prices of the list that it would be, to be created as they are.',
  ),
  'PurchasePriceListPreview.fromFile': as(
    'Prices that the file names. Created with `isPartial`, they keep the others as these are then.',
  ),
  'PurchasePriceListPreview.problems': as(
    'Rows of the file that are not taken, the first hundred of them.',
  ),
  'PurchasePriceListPreview.problems.n': as('Row number in the file, from 1.', 17),
  'PurchasePriceListPreview.problems.reason': as(
    'Why the row is not taken. `repeated`: an earlier row has another price for the same destination.',
  ),
  'PurchasePriceListPreview.refused': as('Number of rows that are not taken.', 2),
  'PurchasePriceListPreview.changes': as(
    'Changes against the list that is in force at `validFrom`.',
  ),
  'changes.added': as('Number of prices for new destinations.', 12),
  'changes.removed': as('Number of destinations that have no price any more.', 0),
  'changes.raised': as('Number of raised prices.', 3),
  'changes.lowered': as('Number of lowered prices.', 1),
  'changes.intervals': as('Number of prices that are as before but for their intervals.', 0),
  'changes.unchanged': as('Number of equal prices.', 1224),
  'PurchasePriceListPreview.differences': as(
    'Prices that differ from the list in force: raised ones first, then lowered ones, other intervals, new and removed ones. The first two hundred of them.',
  ),
  PriceDifference: as('A price that differs from the list in force.'),
  'PriceDifference.kind': as('What becomes of the price.'),
  'PriceDifference.type': as('Message type.', 'sms'),
  'PriceDifference.destination': as('Where the price holds, as in a price list.', '25001'),
  'PriceDifference.before': as('Price before. Null for a new one.'),
  'PriceDifference.after': as('Price afterwards. Null for one that is removed.'),
  ...inEach(['PriceDifference.before', 'PriceDifference.after'], {
    price: as('Price, as in a price list.', 0.0485),
    byLength: as('Intervals of calls. Absent: a call has one price.', { first: 60, interval: 1 }),
  }),
  'PurchasePriceListPreview.sheets': as(
    'Names of the sheets of the workbook. Empty for a text file.',
    ['Prices'],
  ),
  'PurchasePriceListPreview.sheet': as(
    'Name of the sheet that was read. Null for a text file.',
    'Prices',
  ),
  MarginRow: as('What messages of a group were charged and cost.'),
  'MarginRow.key': as(
    'Group: the id of the account, the name of the channel, the message type, the ISO code of the country, the network code, or the day. Null if it is not known.',
    'carrier',
  ),
  'MarginRow.name': as('Name of the account or of the operator. Null for other groups.', 'mirtea'),
  'MarginRow.messages': as('Number of messages that carriers accepted.', 1200),
  'MarginRow.units': as(
    'Number of segments, of messages of other types, and of seconds of calls by their length, that carriers bill.',
    1310,
  ),
  'MarginRow.currency': as('Currency of the accounts, ISO 4217.', 'EUR'),
  'MarginRow.amount': as('What was charged for the messages.', 96.5),
  'MarginRow.refunded': as('What was refunded in the period.', 4.2),
  'MarginRow.costCurrency': as(
    'Currency of the cost, ISO 4217. Null if the cost is not known.',
    'EUR',
  ),
  'MarginRow.cost': as('What carriers took by their price lists. Null if it is not known.', 63.535),
  'MarginRow.margin': as(
    'Amount less refunds and cost. Null if the cost is not known or has another currency.',
    28.765,
  ),
  'margins.get.data': as('Sums by group, the highest amounts first.'),
  'margins.get.totals': as('Sums of all groups together.'),
  'margins.get.?from': as('First day of the period, in UTC.', '2026-11-01'),
  'margins.get.?to': as(
    'Last day of the period, in UTC. A period has up to 366 days.',
    '2026-11-30',
  ),
  'margins.get.?by': as('What the sums are grouped by.'),
  'margins.get.?OwnerId': id('Return only the sums of this account.'),
  'margins.get.?ChannelId': as('Return only the sums of this channel.', 'carrier'),
  'margins.get.?type': as('Return only the sums of this message type.', 'sms'),
  'margins.get.?country': as('Return only the sums of this country, ISO 3166-1 alpha-2.', 'RU'),
  'margins.get.?mccmnc': as('Return only the sums of this network.', '25001'),
};
