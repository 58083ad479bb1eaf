import type { TypedField } from '@heliograph/domain';
import type { TFunction } from 'i18next';

interface Choice {
  value: string;
  label: string;
}

/** What a field of this type offers to choose from; null if it is written. A value that does not fit its type is offered, too. */
export function choicesOf(
  t: TFunction,
  type: TypedField | undefined,
  kept: string,
): Choice[] | null {
  if (type?.type !== 'boolean' && type?.type !== 'choice') return null;
  const offered: Choice[] =
    type.type === 'boolean'
      ? (['true', 'false'] as const).map((value) => ({
          value,
          label: t(`contactLists:boolean.${value}`),
        }))
      : type.values.map((value) => ({ value, label: value }));
  const isOffered = !kept || offered.some(({ value }) => value === kept);
  return [
    { value: '', label: '—' },
    ...offered,
    ...(isOffered ? [] : [{ value: kept, label: kept }]),
  ];
}
