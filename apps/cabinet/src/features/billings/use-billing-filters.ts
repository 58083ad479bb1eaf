import { BILLING_SOURCES, BillingStatus } from '@heliograph/contract';
import { useTranslation } from 'react-i18next';
import { useCan } from '../../core/settings.ts';
import type { FilterField } from '../../list/filters/filter-field.ts';
import { sourceText } from './source-text.ts';

const MANUAL = ['accrual', 'subtract'] as const;

/** Resellers and managers also filter by the types of messages. */
export function useBillingFilters(): FilterField[] {
  const { t } = useTranslation();
  const can = useCan();
  const sources = can('billings.find', 'resellerUp') ? BILLING_SOURCES : MANUAL;
  return [
    { kind: 'search', label: t('billings:search') },
    {
      kind: 'many',
      name: 'status',
      label: t('billings:statusLabel'),
      options: BillingStatus.options.map((value) => ({
        value,
        label: t(`billings:status.${value}`),
      })),
    },
    {
      kind: 'many',
      name: 'source',
      label: t('billings:sourceLabel'),
      options: sources.map((value) => ({ value, label: sourceText(t, value) })),
    },
    { kind: 'text', name: 'id', label: t('billings:id'), placeholder: t('billings:idHint') },
    { kind: 'period', label: t('billings:created') },
    { kind: 'owner', label: t('billings:owner') },
  ];
}
