import { isSameIntervals } from './call-lengths.ts';
import { moneyToNumber, parseMoney, type Money } from './money.ts';
import {
  callIntervals,
  INTERVAL_HEADERS,
  isAmbiguousPrice,
  isPlainPrice,
  networkCode,
  numberPrefix,
  type DecimalMark,
} from './price-cells.ts';
import { isTariffValue } from './tariff-values.ts';
import type { CallIntervals, TariffCondition, TariffRule } from './tariff.ts';
import { SENDING_TYPES, type SendingType } from './types.ts';

/** The columns of a price list. */
export const PRICE_LIST_FIELDS = [
  'mcc',
  'mnc',
  'network',
  'prefix',
  'type',
  'price',
  'perSecond',
  'increments',
  'first',
  'interval',
  'from',
] as const;
export type PriceListField = (typeof PRICE_LIST_FIELDS)[number];

/** Why a row of a price list is left out. */
export const PRICE_LIST_REASONS = [
  'network',
  'prefix',
  'both',
  'type',
  'price',
  'ambiguous_price',
  'intervals',
  'date',
  'repeated',
] as const;
export type PriceListReason = (typeof PRICE_LIST_REASONS)[number];

const HEADERS: Record<PriceListField, string> = {
  mcc: 'mcc,mobile country code,код страны mcc',
  mnc: 'mnc,mobile network code,код сети mnc',
  network: 'mccmnc,mcc mnc,mcc+mnc,mcc/mnc,mcc-mnc,network code,imsi,plmn,код сети,код оператора',
  prefix:
    'prefix,dial prefix,dialing code,country code,destination code,code,префикс,код направления,prefijo,prefixo,préfixe,indicatif,vorwahl,präfix,prefisso',
  type: 'type,channel,product,service,тип,канал,услуга,tipo,canal,type de message,kanal,typ,canale',
  price:
    'price,rate,cost,price per sms,price per message,new price,new rate,цена,стоимость,тариф,цена за сообщение,precio,preço,preco,prix,tarif,preis,prezzo,tarifa,tariffa',
  perSecond:
    'price per second,rate per second,per second,second,цена за секунду,за секунду,секунда,precio por segundo,por segundo,preço por segundo,prix par seconde,par seconde,preis pro sekunde,pro sekunde,prezzo al secondo,al secondo',
  ...INTERVAL_HEADERS,
  from: 'from,valid from,effective date,effective from,start,start date,effective,date,с,действует с,дата,дата начала,desde,vigente desde,fecha,a partir de,data,data de início,à partir du,date,gültig ab,ab,datum,dal,valido dal',
};
const FIELDS = new Map(
  PRICE_LIST_FIELDS.flatMap((field) => HEADERS[field].split(',').map((name) => [name, field])),
);
const MAX_CELL = 100;

/** What a header of a price list means; null for a column that is not read. A currency in it is left out: `Price, EUR`. */
export function priceListField(header: string): PriceListField | null {
  if (header.length > MAX_CELL) return null;
  const name = header.normalize('NFC').toLowerCase().replace(/\s+/g, ' ').trim();
  return FIELDS.get(name) ?? FIELDS.get(name.replace(/[,(]? ?\p{L}{3}\)?$/u, '').trim()) ?? null;
}

/** A price for a network, a country, a prefix, or everything of a type. */
export interface ListedPrice {
  /** Number of the row in the file. */
  n: number;
  type: SendingType | null;
  target: { tag: 'mccmnc' | 'recipient'; value: string } | null;
  price: Money;
  /** Of a second of a call; null where the price has none. */
  perSecond: Money | null;
  /** Of calls that are charged by their length. */
  byLength?: CallIntervals;
  /** A day, `2027-01-31`; null for at once. */
  from: string | null;
}

/** A row of a price list, or why it is left out. Cells of fields that the file has not are empty. */
export function parsePriceRow(
  n: number,
  cells: Record<PriceListField, string>,
  mark: DecimalMark,
): ListedPrice | PriceListReason {
  if (Object.values(cells).some((cell) => cell.length > MAX_CELL)) return 'price';
  const target = targetOf(cells);
  if (typeof target === 'string') return target;
  const type = typeOf(cells.type);
  if (type === undefined) return 'type';
  const call = cells.perSecond.trim();
  const perSecond = call ? priceOf(call, mark) : null;
  if (typeof perSecond === 'string') return perSecond;
  // A call may have no price but that of its seconds.
  const price = call && !cells.price.trim() ? 0n : priceOf(cells.price.trim(), mark);
  if (typeof price === 'string') return price;
  const byLength = callIntervals(cells);
  if (byLength === null || (byLength && !call)) return 'intervals';
  if (call && type !== null && type !== 'voice') return 'intervals';
  const from = dayOf(cells.from.trim());
  if (from === undefined) return 'date';
  return { n, type, target, price, perSecond, ...(byLength && { byLength }), from };
}

function targetOf(
  cells: Record<PriceListField, string>,
): ListedPrice['target'] | 'network' | 'prefix' | 'both' {
  const written = cells.prefix.trim();
  const network = networkOf(cells);
  if (network && written) return 'both';
  if (network)
    return isTariffValue('mccmnc', network) ? { tag: 'mccmnc', value: network } : 'network';
  if (!written) return null;
  const value = numberPrefix(written);
  return value && isTariffValue('recipient', value) ? { tag: 'recipient', value } : 'prefix';
}

/** `250` and `1` are 25001; a country alone, or with `*`, is 250*. */
function networkOf({ mcc, mnc, network }: Record<PriceListField, string>): string {
  const country = mcc.trim();
  const own = mnc.trim();
  if (!country && !own) {
    const code = networkCode(network);
    return /^\d{3}$/.test(code) ? `${code}*` : code;
  }
  if (!own || own === '*') return `${country}*`;
  return `${country}${own.length === 1 ? own.padStart(2, '0') : own}`;
}

/** Undefined if there is no such type. */
function typeOf(cell: string): SendingType | null | undefined {
  const name = cell.trim().toLowerCase();
  return name === '' ? null : SENDING_TYPES.find((type) => type === name);
}

function priceOf(text: string, mark: DecimalMark): Money | 'price' | 'ambiguous_price' {
  if (isAmbiguousPrice(text, mark)) return 'ambiguous_price';
  if (!isPlainPrice(text)) return 'price';
  try {
    return parseMoney(text.replace(',', '.'));
  } catch {
    return 'price';
  }
}

/** Undefined if it is no day, or could be two: 03/04/2027. Null for an empty cell. */
function dayOf(text: string): string | null | undefined {
  if (text === '') return null;
  const iso = /^(\d{4})-(\d{2})-(\d{2})(?:[ T]00:00(?::00)?)?$/.exec(text);
  if (iso) return validDay(iso[1]!, iso[2]!, iso[3]!);
  const dotted = /^(\d{1,2})\.(\d{1,2})\.(\d{4})$/.exec(text);
  if (dotted) return validDay(dotted[3]!, dotted[2]!, dotted[1]!);
  const [, a, b, year] = /^(\d{1,2})\/(\d{1,2})\/(\d{4})$/.exec(text) ?? [];
  if (!a || !b || !year) return undefined;
  if (Number(a) > 12 || Number(a) === Number(b)) return validDay(year, b, a);
  return Number(b) > 12 ? validDay(year, a, b) : undefined;
}

function validDay(year: string, month: string, day: string): string | undefined {
  const text = `${year}-${month.padStart(2, '0')}-${day.padStart(2, '0')}`;
  const date = new Date(`${text}T00:00:00Z`);
  return !Number.isNaN(date.getTime()) && date.toISOString().startsWith(text) ? text : undefined;
}

type Rule = Omit<TariffRule, 'id'>;

/** A network before a country, a longer prefix before a shorter one, and both before the price of a type. */
function priorityOf(target: ListedPrice['target']): number {
  if (!target) return 0;
  if (target.tag === 'mccmnc') return target.value.endsWith('*') ? 1 : 2;
  return 2 + target.value.length;
}

/** As many values as a condition takes. */
const MAX_VALUES = 500;

/** The rules of listed prices: those with the same price for the same type are one rule. */
function rulesOf(rows: readonly ListedPrice[]): Rule[] {
  const groups = new Map<string, ListedPrice[]>();
  for (const row of rows) {
    const { first, interval } = row.byLength ?? {};
    const key = [
      row.type,
      row.target?.tag,
      priorityOf(row.target),
      row.price,
      row.perSecond,
      first,
      interval,
    ].join(' ');
    const group = groups.get(key);
    if (group) group.push(row);
    else groups.set(key, [row]);
  }
  return [...groups.values()].flatMap((group) => {
    const { type, target, price, perSecond, byLength } = group[0]!;
    const values = group.flatMap((row) => row.target?.value ?? []);
    const rule = (part: string[]): Rule => ({
      action: 'increase',
      price:
        perSecond === null
          ? moneyToNumber(price)
          : [moneyToNumber(price), moneyToNumber(perSecond)],
      priority: priorityOf(target),
      ...(byLength && { byLength }),
      conditions: [
        ...(type ? [{ tag: 'type' as const, value: type }] : []),
        ...(target ? [{ tag: target.tag, value: part.length === 1 ? part[0]! : part }] : []),
      ],
    });
    if (!target) return [rule([])];
    const parts = Array.from({ length: Math.ceil(values.length / MAX_VALUES) }, (_, i) =>
      values.slice(i * MAX_VALUES, (i + 1) * MAX_VALUES),
    );
    return parts.map(rule);
  });
}

const targetKey = ({ type, target }: Pick<ListedPrice, 'type' | 'target'>) =>
  `${type ?? ''} ${target?.value ?? ''}`;

/** Rows that say of the same thing for the same day what another row says before them. */
export function repeatedRows(rows: readonly ListedPrice[]): Set<ListedPrice> {
  const seen = new Set<string>();
  return new Set(
    rows.filter((row) => {
      const key = `${targetKey(row)} ${row.from}`;
      if (seen.has(key)) return true;
      seen.add(key);
      return false;
    }),
  );
}

/** Whether a rule is a price of the kind that a price list has: by type, network and prefix alone; of calls with a price per second, too. */
const isListed = ({ action, price, conditions }: Rule) =>
  action === 'increase' &&
  [price].flat().length <= 2 &&
  conditions.every(({ tag }) => tag === 'type' || tag === 'mccmnc' || tag === 'recipient') &&
  new Set(conditions.map(({ tag }) => tag)).size === conditions.length &&
  conditions.filter(({ tag }) => tag !== 'type').length <= 1;

const valuesOf = (conditions: readonly TariffCondition[], tag: string) =>
  conditions.filter((one) => one.tag === tag).flatMap(({ value }) => value);

const hasSeconds = ({ price }: Rule) => [price].flat().length > 1;

/**
 * The rules of a tariff with the prices of a list from each of its days on. The list replaces the prices by network and prefix
 * of the types that it names; discounts and rules with other conditions stay, and so do prices per second if the list has none. Days until `today` are at once.
 */
export function applyPriceList(
  rules: readonly Rule[],
  rows: readonly ListedPrice[],
  today: string,
): { from: string | null; rules: Rule[] }[] {
  const types = new Set<string | null>(rows.map(({ type }) => type));
  const namesSeconds = rows.some(({ perSecond }) => perSecond !== null);
  const kept = rules.filter((rule) => {
    if (hasSeconds(rule) && !namesSeconds) return true;
    const of = valuesOf(rule.conditions, 'type');
    return !isListed(rule) || !(of.length ? of : [null]).every((type) => types.has(type));
  });
  const dated = rows.map((row) => ({
    ...row,
    from: row.from !== null && row.from > today ? row.from : null,
    since: row.from ?? '',
  }));
  const days = [...new Set(dated.map(({ from }) => from))].sort((a, b) =>
    (a ?? '') < (b ?? '') ? -1 : 1,
  );
  return days.map((day) => {
    const latest = new Map<string, (typeof dated)[number]>();
    for (const row of dated) {
      if ((row.from ?? '') > (day ?? '')) continue;
      const before = latest.get(targetKey(row));
      if (!before || before.since < row.since) latest.set(targetKey(row), row);
    }
    const listed = rulesOf([...latest.values()]);
    return { from: day, rules: [...kept, ...listed].sort((a, b) => b.priority - a.priority) };
  });
}

export interface PriceChange {
  type: string | null;
  /** A network, a country or a prefix; null for the price of a type. */
  target: string | null;
  before: number | null;
  after: number | null;
  /** Where either of them has a price per second. */
  call?: { before: CallPrice | null; after: CallPrice | null };
}

/** What a call costs beside its first price. */
export interface CallPrice {
  perSecond: number;
  byLength?: CallIntervals;
}

type Listed = Pick<PriceChange, 'type' | 'target'> & { price: number; call: CallPrice | null };

function listedPrices(rules: readonly Rule[]): Map<string, Listed> {
  const prices = new Map<string, Listed>();
  for (const rule of rules.filter(isListed).sort((a, b) => b.priority - a.priority)) {
    const types = valuesOf(rule.conditions, 'type');
    const [price = 0, perSecond] = [rule.price].flat();
    const { byLength } = rule;
    const call = perSecond === undefined ? null : { perSecond, ...(byLength && { byLength }) };
    const targets = rule.conditions
      .filter(({ tag }) => tag !== 'type')
      .flatMap(({ value }) => value);
    for (const type of types.length ? types : [null])
      for (const target of targets.length ? targets : [null]) {
        const key = `${type ?? ''} ${target ?? ''}`;
        // The first one in order of precedence is that which counts.
        if (!prices.has(key)) prices.set(key, { type, target, price, call });
      }
  }
  return prices;
}

const isSameCall = (a: CallPrice | null, b: CallPrice | null) =>
  a?.perSecond === b?.perSecond && isSameIntervals(a?.byLength, b?.byLength);

/** Which prices by type, network and prefix differ between two sets of rules. */
export function priceChanges(before: readonly Rule[], after: readonly Rule[]): PriceChange[] {
  const old = listedPrices(before);
  const next = listedPrices(after);
  const keys = new Set([...old.keys(), ...next.keys()]);
  return [...keys].flatMap((key) => {
    const { type, target } = (next.get(key) ?? old.get(key))!;
    const [was, is] = [old.get(key), next.get(key)];
    const call = { before: was?.call ?? null, after: is?.call ?? null };
    if (was?.price === is?.price && isSameCall(call.before, call.after)) return [];
    const change = { type, target, before: was?.price ?? null, after: is?.price ?? null };
    return [call.before || call.after ? { ...change, call } : change];
  });
}
