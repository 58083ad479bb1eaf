import type { TariffRule } from '@heliograph/contract';
import { isSendingType } from '@heliograph/domain';
import type { Rule } from './catalogue.api.ts';

export type Tag = TariffRule['conditions'][number]['tag'];

/** A rule as its form has it. */
export interface RuleValues {
  action: Rule['action'];
  price: number | null;
  perSecond: number | null;
  /** Seconds by which calls are charged by their length; neither if they are not. */
  first: number | null;
  interval: number | null;
  priority: number | null;
  conditions: { key: number; tag: Tag; values: string[] }[];
}

export function valuesOf(rule: Rule | null): RuleValues {
  const [price = null, perSecond = null] = rule ? [rule.price].flat() : [];
  return {
    action: rule?.action ?? 'increase',
    price,
    perSecond,
    first: rule?.byLength?.first ?? null,
    interval: rule?.byLength?.interval ?? null,
    priority: rule?.priority ?? 0,
    conditions: (rule?.conditions ?? []).map(({ tag, value }, key) => ({
      key,
      tag,
      values: [value].flat(),
    })),
  };
}

/** Calls have a price per second beside that per call. */
export function mayBeCalls(
  { conditions }: Pick<RuleValues, 'conditions'>,
  source: string,
): boolean {
  if (isSendingType(source)) return source === 'voice';
  const types = conditions.find(({ tag }) => tag === 'type')?.values;
  return !types?.length || types.includes('voice');
}

/** Whether calls can be charged by their length: by a rule that sets their price per second. */
export const mayBeByLength = (
  values: Pick<RuleValues, 'action' | 'perSecond' | 'conditions'>,
  source: string,
): boolean =>
  values.action === 'increase' && values.perSecond !== null && mayBeCalls(values, source);

/** What is not filled in is left to the schema, which names it. */
export function bodyOf(values: RuleValues, source: string): Rule {
  const { action, price, perSecond, first, interval, priority, conditions } = values;
  const isByLength = mayBeByLength(values, source) && (first !== null || interval !== null);
  const isPair = perSecond !== null && mayBeCalls(values, source);
  return {
    action,
    price: isPair ? [price as number, perSecond] : (price as number),
    priority: priority ?? 0,
    conditions: conditions.map(({ tag, values: all }) => ({
      tag,
      value: all.length === 1 ? all[0]! : all,
    })),
    ...(isByLength && { byLength: { first: first as number, interval: interval as number } }),
  };
}
