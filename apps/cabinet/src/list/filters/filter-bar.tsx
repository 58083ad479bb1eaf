import { Box, Button, Group, Stack } from '@mantine/core';
import { useDisclosure, useMediaQuery } from '@mantine/hooks';
import { useRef, type ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { useKeys } from '../../core/keys/keys.ts';
import { IconFilter } from '../../ui/icons.ts';
import { later } from '../../ui/later.tsx';
import { FilterChips } from './filter-chips.tsx';
import { FilterControl } from './filter-control.tsx';
import { ownerField, type FilterField } from './filter-field.ts';
import type { ListSpec } from '../state/list-spec.ts';
import type { ListControl } from '../state/use-list-state.ts';

const FilterDrawer = later(async () => (await import('./filter-drawer.tsx')).FilterDrawer);

interface FilterBarProps {
  fields: FilterField[];
  control: ListControl;
  /** Controls beside the filters. */
  children?: ReactNode;
}

/** Filters in a row with the applied ones below; on a small screen in a drawer at the bottom. */
export function FilterBar({ fields, control, children }: FilterBarProps) {
  const { t } = useTranslation();
  if (import.meta.env.DEV) for (const field of fields) assertDeclared(field, control.spec);
  const [opened, { open, close }] = useDisclosure(false);
  const small = useMediaQuery('(max-width: 47.99em)', false, { getInitialValueInEffect: false });
  const bar = useRef<HTMLDivElement>(null);
  useKeys({ f: () => bar.current?.querySelector<HTMLElement>('button, input')?.focus() });
  const controls = fields.map((field) => (
    <FilterControl
      key={'name' in field ? field.name : field.kind}
      field={field}
      control={control}
      inline={small}
    />
  ));
  return (
    <Stack ref={bar} gap="xs" role="search" aria-label={t('list:filters')}>
      {small ? (
        <>
          <Group gap="md">
            <Button
              flex="1 0 auto"
              variant="default"
              leftSection={<IconFilter size={16} aria-hidden />}
              onClick={open}
            >
              {t('list:filters')}
            </Button>
            {children}
          </Group>
          <FilterDrawer opened={opened} onClose={close}>
            {controls}
          </FilterDrawer>
        </>
      ) : (
        <Group gap="xs">
          {controls}
          {children && <Box ms="auto">{children}</Box>}
        </Group>
      )}
      <FilterChips fields={fields} control={control} />
    </Stack>
  );
}

/** What the spec of a list does not declare is not read from the address, so that its field would do nothing. */
function assertDeclared(field: FilterField, { search, period, filters }: ListSpec): void {
  const isDeclared =
    field.kind === 'search'
      ? search
      : field.kind === 'period'
        ? period
        : (field.kind === 'owner' ? ownerField(field) : field.name) in filters;
  if (!isDeclared) throw new Error(`The list does not declare its filter "${field.label}"`);
}
