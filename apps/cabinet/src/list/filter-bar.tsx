import { Button, Drawer, Group, Stack } from '@mantine/core';
import { useDisclosure, useMediaQuery } from '@mantine/hooks';
import { useTranslation } from 'react-i18next';
import { IconFilter } from '../ui/icons.ts';
import { FilterChips } from './filter-chips.tsx';
import { FilterControl } from './filter-control.tsx';
import type { FilterField } from './filter-field.ts';
import type { ListControl } from './use-list-state.ts';

interface FilterBarProps {
  fields: FilterField[];
  control: ListControl;
}

/** Filters in a row with what is applied below; on a small screen they rise from the bottom edge. */
export function FilterBar({ fields, control }: FilterBarProps) {
  const { t } = useTranslation();
  const [opened, { open, close }] = useDisclosure(false);
  const small = useMediaQuery('(max-width: 47.99em)', false, { getInitialValueInEffect: false });
  const controls = fields.map((field) => (
    <FilterControl
      key={field.kind === 'many' || field.kind === 'text' ? field.name : field.kind}
      field={field}
      control={control}
      inline={small}
    />
  ));
  return (
    <Stack gap="xs" mb="md" role="search" aria-label={t('list:filters')}>
      {small ? (
        <>
          <Button
            variant="default"
            leftSection={<IconFilter size={16} aria-hidden />}
            onClick={open}
          >
            {t('list:filters')}
          </Button>
          <Drawer
            opened={opened}
            onClose={close}
            position="bottom"
            size="85%"
            title={t('list:filters')}
            closeButtonProps={{ 'aria-label': t('close') }}
          >
            <Stack>
              {controls}
              <Button onClick={close}>{t('list:showResults')}</Button>
            </Stack>
          </Drawer>
        </>
      ) : (
        <Group gap="xs">{controls}</Group>
      )}
      <FilterChips fields={fields} control={control} />
    </Stack>
  );
}
