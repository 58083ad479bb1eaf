import { Button } from '@mantine/core';
import type { TFunction } from 'i18next';
import { useTranslation } from 'react-i18next';
import { AppliedFilters, type AppliedFilter } from './applied-filters.tsx';
import { ownerField, type FilterField } from './filter-field.ts';
import { isFiltered } from '../state/list-state.ts';
import { useOwnerName } from '../../core/owners.ts';
import { usePeriodText } from './use-period-text.ts';
import type { ListControl } from '../state/use-list-state.ts';

/** The applied filters, each with a button that removes it. */
export function FilterChips({ fields, control }: { fields: FilterField[]; control: ListControl }) {
  const { t } = useTranslation();
  const periodText = usePeriodText();
  const { state, clear } = control;
  const ownedBy = fields.find((field) => field.kind === 'owner');
  const owner = useOwnerName(ownedBy && state.filters[ownerField(ownedBy)]?.[0]);
  if (!isFiltered(state)) return null;
  const chips = fields.flatMap((field) => chipsOf(field, control, { t, periodText, owner }));
  return (
    <AppliedFilters filters={chips}>
      <li>
        <Button variant="subtle" size="compact-sm" onClick={clear}>
          {t('list:clearFilters')}
        </Button>
      </li>
    </AppliedFilters>
  );
}

function chipsOf(
  field: FilterField,
  control: ListControl,
  { t, periodText, owner }: { t: TFunction; periodText: (value: string) => string; owner: string },
): AppliedFilter[] {
  const { state, set, setFilter } = control;
  const { label } = field;
  const labelled = (value: string) => t('common:labelled', { label, value });
  if (field.kind === 'search') {
    return state.search
      ? [{ key: 'q', text: labelled(state.search), remove: () => set({ search: '' }) }]
      : [];
  }
  if (field.kind === 'period') {
    const text = state.period && labelled(periodText(state.period));
    return text ? [{ key: 'period', text, remove: () => set({ period: '' }) }] : [];
  }
  const name = field.kind === 'owner' ? ownerField(field) : field.name;
  const values = state.filters[name] ?? [];
  return values.map((value) => {
    if (field.kind === 'owner') {
      const text = labelled(owner || value);
      return { key: name, text, remove: () => setFilter(name, []) };
    }
    if (field.kind === 'givenPeriod') {
      const text = labelled(periodText(value));
      return { key: name, text, remove: () => setFilter(name, []) };
    }
    const option = 'options' in field ? field.options.find((o) => o.value === value) : undefined;
    return {
      key: `${name}:${value}`,
      text: field.kind === 'given' ? label : labelled(option?.label ?? value),
      remove: () =>
        setFilter(
          name,
          values.filter((v) => v !== value),
        ),
    };
  });
}
