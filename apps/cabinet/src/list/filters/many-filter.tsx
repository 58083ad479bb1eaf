import { Button, Checkbox, Popover, ScrollArea, Stack } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { IconChevronDown } from '../../ui/icons.ts';
import { useOptimisticValue } from './use-optimistic-value.ts';

interface ManyFilterProps {
  label: string;
  options: { value: string; label: string }[];
  value: string[];
  onChange: (values: string[]) => void;
  inline: boolean;
}

/** Several values of one filter: a button that opens the options, or the options themselves. */
export function ManyFilter({ label, options, value, onChange, inline }: ManyFilterProps) {
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
