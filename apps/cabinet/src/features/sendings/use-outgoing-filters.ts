import { Outcome, Status } from '@heliograph/contract';
import { useTranslation } from 'react-i18next';
import { useSettings } from '../../core/settings.ts';
import type { FilterField } from '../../list/filters/filter-field.ts';

export function useOutgoingFilters(): FilterField[] {
  const { t } = useTranslation();
  const { sendings } = useSettings();
  return [
    {
      kind: 'text',
      name: 'recipient',
      label: t('sendings:recipient'),
      placeholder: t('sendings:recipientHint'),
    },
    {
      kind: 'many',
      name: 'status',
      label: t('sendings:status'),
      options: Status.options.map((value) => ({ value, label: t(`common:status.${value}`) })),
    },
    {
      kind: 'many',
      name: 'outcome',
      label: t('sendings:outcomeLabel'),
      options: Outcome.options.map((value) => ({ value, label: t(`sendings:outcome.${value}`) })),
    },
    {
      kind: 'many',
      name: 'type',
      label: t('sendings:type'),
      options: sendings.types.map((value) => ({ value, label: t(`common:type.${value}`) })),
    },
    { kind: 'period', label: t('sendings:period'), maxDays: sendings.range },
    { kind: 'owner', label: t('sendings:owner') },
    { kind: 'givenPeriod', name: 'updatedAt', label: t('sendings:changed') },
    { kind: 'given', name: 'groupId', label: t('sendings:oneTask') },
  ];
}
