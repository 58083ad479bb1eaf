import type { Rule } from './catalogue.api.ts';

export interface RuleChange {
  kind: 'added' | 'removed';
  rule: Rule;
}

const keyOf = ({ action, price, conditions, priority, byLength }: Rule) =>
  JSON.stringify([
    action,
    [price].flat(),
    conditions.map(({ tag, value }) => [tag, [value].flat()]),
    priority,
    byLength && [byLength.first, byLength.interval],
  ]);

/** The rules that one version has and the other has not; a rule that stands twice counts twice. */
export function changesBetween(before: readonly Rule[], after: readonly Rule[]): RuleChange[] {
  const counts = new Map<string, number>();
  for (const rule of before) counts.set(keyOf(rule), (counts.get(keyOf(rule)) ?? 0) + 1);
  const added = after.filter((rule) => {
    const left = counts.get(keyOf(rule)) ?? 0;
    if (left) counts.set(keyOf(rule), left - 1);
    return !left;
  });
  const removed = before.filter((rule) => {
    const left = counts.get(keyOf(rule)) ?? 0;
    if (left) counts.set(keyOf(rule), left - 1);
    return left > 0;
  });
  return [
    ...added.map((rule) => ({ kind: 'added' as const, rule })),
    ...removed.map((rule) => ({ kind: 'removed' as const, rule })),
  ];
}
