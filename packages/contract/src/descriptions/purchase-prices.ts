import { as, id, time, type Description } from './description.ts';

export const PURCHASE_PRICES: Record<string, Description> = {
  PurchasePrice: as('What a carrier takes for messages to a destination.'),
  'prices.type': as('Message type.', 'sms'),
  'prices.destination': as(
    'Where the price holds: a network (`25001`), numbers that begin so (`+7916`), all networks of a country code (`250*`), a country (`RU`), or all others (`*`). The narrowest one decides.',
    '25001',
  ),
  'prices.price': as(
    'Price of a segment of an SMS or MMS, or of a message of another type, in the currency of the list, with up to six decimals.',
    0.0485,
  ),
  PriceList: as('Price list of a carrier.'),
  'PriceList.id': id('Id of the price list.'),
  'PriceList.ChannelId': as('Name of the channel.', 'carrier'),
  'purchasePrices.get.ChannelId': as('Name of the channel.', 'carrier'),
  'PriceList.currency': as('Currency of the prices, ISO 4217.', 'EUR'),
  'PriceList.validFrom': time(
    'Time from which the prices hold, until a later list of the channel begins.',
  ),
  isInForce: as('True if the prices hold now.'),
  'PriceList.count': as('Number of prices.', 1240),
  'purchasePrices.get.count': as('Number of prices.', 1240),
  'PriceList.createdAt': time('Time at which the list was added.'),
  'purchasePrices.get.id': id('Id of the price list.'),
  'purchasePrices.get.currency': as('Currency of the prices, ISO 4217.', 'EUR'),
  'purchasePrices.get.validFrom': time(
    'Time from which the prices hold, until a later list of the channel begins.',
  ),
  'purchasePrices.get.createdAt': time('Time at which the list was added.'),
  'purchasePrices.get.prices': as('Prices of the list.'),
  'purchasePrices.find.data': as('Price lists of the page.'),
  PriceListInput: as('A price list with all its prices.'),
  'PriceListInput.currency': as('Currency of the prices, ISO 4217.', 'EUR'),
  'PriceListInput.validFrom': time('Time from which the prices hold. By default now.'),
  'PriceListInput.prices': as('All prices of the list, each of another type or destination.'),
  'preview.from': as('File of the price list.'),
  'preview.from.key': id('Id of an uploaded file: a workbook (.xlsx) or a text file.'),
  'purchasePrices.preview.sheet': as(
    'Name of the sheet to read. By default the first one. Null for a text file.',
    'Prices',
  ),
  'purchasePrices.preview.currency': as('Currency of the prices, ISO 4217.', 'EUR'),
  'purchasePrices.preview.type': as('Message type of rows that name none.'),
  isPartial: as(
    'True if prices that are in force now and not in the file are kept. By default the file replaces all.',
  ),
  PriceListPreview: as('What a file would make of the prices of a channel.'),
  'PriceListPreview.prices': as(
    'All prices of the list that it would be, to be created as they are.',
  ),
  'PriceListPreview.problems': as(
    'Rows of the file that are not taken, the first hundred of them.',
  ),
  'PriceListPreview.problems.n': as('Row number in the file, from 1.', 17),
  'PriceListPreview.problems.reason': as(
    'Why the row is not taken. `repeated`: an earlier row has another price for the same destination.',
  ),
  'PriceListPreview.refused': as('Number of rows that are not taken.', 2),
  'PriceListPreview.changes': as('Changes against the list that is in force now.'),
  'changes.added': as('Number of prices for new destinations.', 12),
  'changes.removed': as('Number of destinations that have no price any more.', 0),
  'changes.raised': as('Number of raised prices.', 3),
  'changes.lowered': as('Number of lowered prices.', 1),
  'changes.unchanged': as('Number of equal prices.', 1224),
  'PriceListPreview.sheets': as('Names of the sheets of the workbook. Empty for a text file.', [
    'Prices',
  ]),
  'PriceListPreview.sheet': as('Name of the sheet that was read. Null for a text file.', 'Prices'),
};
