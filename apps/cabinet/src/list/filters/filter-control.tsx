import type { Level } from '@heliograph/contract';
import {
  NativeSelect,
  TextInput,
  Skeleton,
  Button,
  Checkbox,
  Menu,
  Popover,
  ScrollArea,
  Stack,
} from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { useSeesOwners } from '../../core/owners.ts';
import { IconCheck, IconSearch, IconChevronDown } from '../../ui/icons.ts';
import { later } from '../../ui/later.tsx';
import type { ListControl } from '../state/use-list-state.ts';
import { ownerField, type FilterField } from './filter-field.ts';
import { PeriodFilter } from './period-filter.tsx';
import { useDebouncedInput } from './use-debounced-input.ts';
import { useOptimisticValue } from './use-optimistic-value.ts';

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
        <OneFilter
          label={field.label}
          options={[{ value: '', label: t('list:any', { label: field.label }) }, ...field.options]}
          value={state.filters[field.name]?.[0] ?? ''}
          onChange={(value) => setFilter(field.name, value ? [value] : [])}
          inline={inline}
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
          width={inline ? '100%' : 240}
          value={state.filters[field.name]?.[0] ?? ''}
          onChange={(value) => setFilter(field.name, value ? [value] : [], { replace: true })}
        />
      );
    case 'search':
      return (
        <TextFilter
          label={field.label}
          placeholder={field.placeholder ?? field.label}
          width={inline ? '100%' : 240}
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

// Only resellers and managers see it, so its code is loaded for them alone.
const OwnerSelect = later(
  async () => (await import('../../ui/owner-select.tsx')).OwnerSelect,
  <Skeleton height={36} width={200} />,
);

interface OwnerFilterProps {
  label: string;
  /** Only accounts of this level. */
  level?: Level;
  value: string | null;
  onChange: (id: string | null) => void;
}

function OwnerFilter({ label, level, value, onChange }: OwnerFilterProps) {
  if (!useSeesOwners()) return null;
  return (
    <OwnerSelect
      aria-label={label}
      placeholder={label}
      level={level}
      value={value}
      onChange={onChange}
    />
  );
}

interface OneFilterProps {
  label: string;
  /** The first one is the choice of none. */
  options: { value: string; label: string }[];
  value: string;
  onChange: (value: string) => void;
  inline: boolean;
}

/** One value of a filter: a button that opens the options, or a field of them. */
function OneFilter({ label, options, value, onChange, inline }: OneFilterProps) {
  const { t } = useTranslation();
  if (inline) {
    return (
      <NativeSelect
        label={label}
        value={value}
        onChange={({ currentTarget }) => onChange(currentTarget.value)}
        data={options}
      />
    );
  }
  const chosen = value && options.find((option) => option.value === value);
  return (
    <Menu position="bottom-start">
      <Menu.Target>
        <Button
          variant="default"
          fw={500}
          rightSection={<IconChevronDown size={16} aria-hidden />}
          data-active={chosen ? true : undefined}
        >
          {chosen ? t('common:labelled', { label, value: chosen.label }) : label}
        </Button>
      </Menu.Target>
      <Menu.Dropdown aria-label={label}>
        {options.map((option) => (
          <Menu.Item
            key={option.value}
            role="menuitemradio"
            aria-checked={option.value === value}
            leftSection={
              <IconCheck size={16} aria-hidden opacity={option.value === value ? 1 : 0} />
            }
            onClick={() => onChange(option.value)}
          >
            {option.label}
          </Menu.Item>
        ))}
      </Menu.Dropdown>
    </Menu>
  );
}

interface ManyFilterProps {
  label: string;
  options: { value: string; label: string }[];
  value: string[];
  onChange: (values: string[]) => void;
  inline: boolean;
}

/** Several values of one filter: a button that opens the options, or the options themselves. */
function ManyFilter({ label, options, value, onChange, inline }: ManyFilterProps) {
  const { t } = useTranslation();
  const [selected, select] = useOptimisticValue(value, onChange);
  const boxes = options.map((option) => (
    <Checkbox key={option.value} value={option.value} label={option.label} />
  ));
  if (inline) {
    return (
      <Checkbox.Group label={label} value={selected} onChange={select}>
        <Stack gap="sm" mt="xs">
          {boxes}
        </Stack>
      </Checkbox.Group>
    );
  }
  return (
    <Popover position="bottom-start" trapFocus returnFocus withRoles>
      <Popover.Target>
        <Button
          variant="default"
          fw={500}
          rightSection={<IconChevronDown size={16} aria-hidden />}
          data-active={selected.length > 0 || undefined}
        >
          {selected.length ? t('common:labelled', { label, value: selected.length }) : label}
        </Button>
      </Popover.Target>
      <Popover.Dropdown aria-label={label} p="sm">
        <ScrollArea.Autosize mah={320} type="auto" offsetScrollbars="y">
          <Checkbox.Group value={selected} onChange={select} aria-label={label}>
            <Stack gap="sm" p={4}>
              {boxes}
            </Stack>
          </Checkbox.Group>
        </ScrollArea.Autosize>
      </Popover.Dropdown>
    </Popover>
  );
}
