import { NativeSelect, TextInput } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { IconSearch } from '../../ui/icons.ts';
import { ownerField, type FilterField } from './filter-field.ts';
import { ManyFilter } from './many-filter.tsx';
import { OwnerFilter } from './owner-filter.tsx';
import { PeriodFilter } from './period-filter.tsx';
import { useDebouncedInput } from './use-debounced-input.ts';
import type { ListControl } from '../state/use-list-state.ts';

interface FilterControlProps {
  field: FilterField;
  control: ListControl;
  /** True in the drawer of a small screen, which has room for all options. */
  inline: boolean;
}

export function FilterControl({ field, control, inline }: FilterControlProps) {
  const { t } = useTranslation();
  const { state, set, setFilter } = control;
  switch (field.kind) {
    case 'many':
      return (
        <ManyFilter
          label={field.label}
          options={field.options}
          value={state.filters[field.name] ?? []}
          onChange={(values) => setFilter(field.name, values)}
          inline={inline}
        />
      );
    case 'one':
      return (
        <NativeSelect
          label={inline ? field.label : undefined}
          aria-label={field.label}
          value={state.filters[field.name]?.[0] ?? ''}
          onChange={({ currentTarget: { value } }) => setFilter(field.name, value ? [value] : [])}
          data={[{ value: '', label: t('list:any', { label: field.label }) }, ...field.options]}
        />
      );
    case 'period':
      return (
        <PeriodFilter
          label={field.label}
          maxDays={field.maxDays}
          value={state.period}
          onChange={(period) => set({ period })}
          inline={inline}
        />
      );
    case 'text':
      return (
        <TextFilter
          label={field.label}
          placeholder={field.placeholder ?? field.label}
          width={inline ? '100%' : 300}
          value={state.filters[field.name]?.[0] ?? ''}
          onChange={(value) => setFilter(field.name, value ? [value] : [], { replace: true })}
        />
      );
    case 'search':
      return (
        <TextFilter
          label={field.label}
          placeholder={field.placeholder ?? field.label}
          width={inline ? '100%' : 300}
          value={state.search}
          onChange={(search) => set({ search }, { replace: true })}
        />
      );
    case 'owner':
      return (
        <OwnerFilter
          label={field.label}
          level={field.level}
          value={state.filters[ownerField(field)]?.[0] ?? null}
          onChange={(id) => setFilter(ownerField(field), id ? [id] : [])}
        />
      );
    case 'given':
    case 'givenPeriod':
      return null;
  }
}

interface TextFilterProps {
  label: string;
  placeholder: string;
  width: number | string;
  value: string;
  onChange: (value: string) => void;
}

function TextFilter({ label, placeholder, width, value, onChange }: TextFilterProps) {
  const { text, setText, onLeave } = useDebouncedInput(value, onChange);
  return (
    <TextInput
      aria-label={label}
      aria-keyshortcuts="/"
      placeholder={placeholder}
      w={width}
      leftSection={<IconSearch size={16} aria-hidden />}
      value={text}
      onChange={(event) => setText(event.currentTarget.value)}
      onBlur={onLeave}
    />
  );
}
