import {
  callIntervals,
  INTERVAL_HEADERS,
  isAmbiguousPrice,
  networkCode,
  numberPrefix,
  type DecimalMark,
} from './price-cells.ts';
import { isPurchaseDestination, parseCost, type PurchasePrice } from './purchase-prices.ts';
import { isSendingType, type SendingType } from './types.ts';

/** The columns of a price list of a carrier. `network` is MCC and MNC in one value; a list may have them apart. */
export const PRICE_FIELDS = [
  'type',
  'network',
  'mcc',
  'mnc',
  'prefix',
  'country',
  'destination',
  'price',
  'currency',
  'increments',
  'first',
  'interval',
] as const;
export type PriceField = (typeof PRICE_FIELDS)[number];

/** Why a row of a price list is not taken. */
export const PRICE_REASONS = [
  'formula',
  'type',
  'destination',
  'price',
  'ambiguous_price',
  'currency',
  'intervals',
  'repeated',
] as const;
export type PriceReason = (typeof PRICE_REASONS)[number];

/** Headers as carriers write them, in the languages of the cabinet, without case and punctuation. */
const HEADERS: Record<PriceField, string> = {
  type: 'type,service,product,channel type,тип,услуга,tipo,servicio,servico,dienst,typ,servizio',
  network:
    'mccmnc,mcc mnc,imsi,imsi prefix,network code,plmn,код сети,codigo de red,code reseau,netzcode,codice rete',
  mcc: 'mcc,country mcc',
  mnc: 'mnc,network mnc',
  prefix:
    'prefix,dial prefix,number prefix,dial code,dialing code,calling code,country code,префикс,код,prefijo,prefixo,prefixe,indicatif,vorwahl,prefisso',
  country:
    'country,iso,country iso,iso code,iso2,iso country code,alpha 2,страна,pais,pays,land,paese',
  destination: 'destination,направление,destino,ziel,destinazione',
  price:
    'price,rate,cost,price per sms,price per message,price per minute,rate per minute,price min,rate min,rate per sms,new price,new rate,price eur,price usd,rate eur,rate usd,цена,тариф,стоимость,precio,tarifa,preco,prix,tarif,preis,tarif pro sms,prezzo,tariffa,costo',
  currency: 'currency,curr,ccy,валюта,moneda,moeda,devise,monnaie,wahrung,valuta',
  ...INTERVAL_HEADERS,
};
const MAX_HEADER_LENGTH = 40;
const plain = (name: string) =>
  name
    .normalize('NFD')
    .replace(/\p{M}+/gu, '')
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, ' ')
    .trim();
const FIELDS = new Map(
  PRICE_FIELDS.flatMap((field) => HEADERS[field].split(',').map((name) => [plain(name), field])),
);

/** The field that a header names: `priceField('MCC/MNC')` is `network`. */
export function priceField(header: string): PriceField | null {
  if (header.length > MAX_HEADER_LENGTH) return null;
  return FIELDS.get(plain(header)) ?? null;
}

/** Column by field. Of columns of the same field the first one. */
export type PriceColumns = Partial<Record<PriceField, number>>;

/** The columns of a header; null if it names no price, or nothing that a price could hold for. */
export function priceColumns(cells: readonly string[]): PriceColumns | null {
  const columns: PriceColumns = {};
  for (const [i, cell] of cells.entries()) {
    const field = priceField(cell);
    if (field) columns[field] ??= i;
  }
  const { price, network, mcc, prefix, country, destination } = columns;
  const named = [network, mcc, prefix, country, destination].some((column) => column !== undefined);
  return price !== undefined && named ? columns : null;
}

export type ReadPrice = PurchasePrice | { reason: PriceReason };

/** The text of the price of a row. */
export const priceText = (cells: readonly string[], columns: PriceColumns): string =>
  (cells[columns.price ?? -1] ?? '').trim();

/** A row of a list in `currency`, whose rows without a type are of the given one, and which writes fractions with `mark`. */
export function readPrice(
  cells: readonly string[],
  columns: PriceColumns,
  { type: byDefault, currency, mark }: { type: SendingType; currency: string; mark: DecimalMark },
): ReadPrice {
  const cell = (field: PriceField) => (cells[columns[field] ?? -1] ?? '').trim();
  const type = cell('type').toLowerCase() || byDefault;
  if (!isSendingType(type)) return { reason: 'type' };
  const destination = destinationOf(cell);
  if (!destination || !isPurchaseDestination(destination)) return { reason: 'destination' };
  if (isAmbiguousPrice(cell('price'), mark)) return { reason: 'ambiguous_price' };
  const price = parseCost(cell('price'));
  if (price === null) return { reason: 'price' };
  const named = cell('currency').toUpperCase();
  if (named && named !== currency) return { reason: 'currency' };
  // Columns of these names mean something else for other messages.
  const byLength =
    type === 'voice'
      ? callIntervals({
          increments: cell('increments'),
          first: cell('first'),
          interval: cell('interval'),
        })
      : undefined;
  if (byLength === null) return { reason: 'intervals' };
  return { type, destination, price, ...(byLength && { byLength }) };
}

const ALL_NETWORKS = new Set(['', '*', 'all', 'default', 'other', 'others', 'rest', '-']);
const MAX_DESTINATION = 20;

/** The narrowest of what the row names. */
function destinationOf(cell: (field: PriceField) => string): string | null {
  const network = networkCode(cell('network'));
  if (network && /^\d{5,6}$/.test(network)) return network;
  if (network && /^\d{3}$/.test(network)) return `${network}*`;
  if (network) return network;
  const mcc = networkCode(cell('mcc'));
  if (mcc) {
    const mnc = cell('mnc');
    if (ALL_NETWORKS.has(mnc.toLowerCase())) return `${mcc}*`;
    // A spreadsheet turns 01 into 1.
    return /^\d{1,3}$/.test(mnc) ? mcc + mnc.padStart(2, '0') : null;
  }
  if (cell('prefix')) return numberPrefix(cell('prefix'));
  const country = cell('country');
  if (country) return country.toUpperCase();
  const written = cell('destination');
  if (!written || written.length > MAX_DESTINATION) return null;
  return ALL_NETWORKS.has(written.toLowerCase()) ? '*' : written.toUpperCase();
}
