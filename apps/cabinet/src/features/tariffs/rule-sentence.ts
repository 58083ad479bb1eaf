import type { TariffRule } from '@heliograph/contract';
import { isBilledBySegment, isSendingType } from '@heliograph/domain';
import type { TFunction } from 'i18next';
import type { Formats } from '../../core/formats.ts';

export interface Words {
  t: TFunction;
  formats: Formats;
  /** The name of a network code; the code itself when it is unknown. */
  operator: (mccmnc: string) => string;
  /** The title of a contact list; null when it is gone. */
  list: (id: string) => string | null;
}

/** Stored, or to be. */
type Rule = Omit<TariffRule, 'id'>;

/**
 * A rule of a tariff as a sentence: "A message costs ₽3.20 per part if the channel is SMS and the operator is MTS."
 * `source` is the tariff's own: a sending type there holds for all its rules.
 */
export function ruleSentence(rule: Rule, source: string, words: Words): string {
  const { t, formats } = words;
  const conditions = conditionsOf(rule, source).map((c) => conditionText(c, words));
  const price = priceText(rule, source, words);
  if (!conditions.length) return t(`tariffs:rule.${rule.action}Always`, { price });
  const when = new Intl.ListFormat(formats.locale, { type: 'conjunction' }).format(conditions);
  // Messages of WAPI cost nothing; its rule is the price of the instance.
  const types = conditionsOf(rule, source).find(({ tag }) => tag === 'type')?.values ?? [];
  if (rule.action === 'increase' && types.length && types.every((type) => type === 'wapi'))
    return t('tariffs:rule.subscription', { price, when });
  return t(`tariffs:rule.${rule.action}`, { price, when });
}

interface Condition {
  tag: TariffRule['conditions'][number]['tag'];
  values: string[];
}

function conditionsOf(rule: Rule, source: string): Condition[] {
  const own = rule.conditions.map(({ tag, value }) => ({ tag, values: [value].flat() }));
  return isSendingType(source) ? [{ tag: 'type', values: [source] }, ...own] : own;
}

function conditionText({ tag, values }: Condition, { t, formats, operator, list }: Words): string {
  const names = values.map((value) => {
    if (tag === 'type') return t(`common:type.${value}`, { defaultValue: value });
    if (tag === 'group') return t(`common:group.${value}`, { defaultValue: value });
    if (tag === 'mccmnc') return operator(value);
    if (tag !== 'text' && tag !== 'keywords' && tag !== 'contactList') return value;
    const text = tag === 'contactList' ? list(value) : value;
    return text === null ? t('tariffs:goneList') : t('tariffs:quoted', { text });
  });
  const any = new Intl.ListFormat(formats.locale, { type: 'disjunction' }).format(names);
  return t(`tariffs:condition.${tag}`, { values: any });
}

/** What a call costs: at once, by the second, and by which intervals. */
export function callPriceText(
  price: number,
  { perSecond, byLength }: { perSecond: number; byLength?: Rule['byLength'] },
  { t, formats }: Pick<Words, 't' | 'formats'>,
): string {
  const values = { sum: formats.money(price), second: formats.money(perSecond) };
  return byLength
    ? t('tariffs:price.callByLength', {
        ...values,
        first: formats.seconds(byLength.first),
        interval: formats.seconds(byLength.interval),
      })
    : t('tariffs:price.call', values);
}

/** The price of one unit: calls per call and per second, texts per part. */
function priceText(rule: Rule, source: string, { t, formats }: Words): string {
  const types = conditionsOf(rule, source).find(({ tag }) => tag === 'type')?.values ?? [];
  const [first = 0, second] = [rule.price].flat();
  const sum = formats.money(first);
  if (second !== undefined && types.every((type) => type === 'voice'))
    return callPriceText(first, { perSecond: second, byLength: rule.byLength }, { t, formats });
  if (types.length && types.every((type) => isSendingType(type) && isBilledBySegment(type))) {
    return t('tariffs:price.segment', { sum });
  }
  return t('tariffs:price.message', { sum });
}

/** The values of a tag in the rules of tariffs, each once. */
export function valuesIn(
  rules: readonly Pick<TariffRule, 'conditions'>[],
  tag: Condition['tag'],
): string[] {
  const values = rules.flatMap(({ conditions }) =>
    conditions.filter((condition) => condition.tag === tag).flatMap(({ value }) => value),
  );
  return [...new Set(values)].sort();
}
