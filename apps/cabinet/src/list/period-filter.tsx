import { Button, Loader, Popover, ScrollArea } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { lazy, Suspense } from 'react';
import { IconChevronDown } from '../ui/icons.ts';
import { usePeriodText } from './use-period-text.ts';

const PeriodChoice = lazy(async () => ({
  default: (await import('./period-choice.tsx')).PeriodChoice,
}));

interface PeriodFilterProps {
  label: string;
  maxDays?: number;
  value: string;
  onChange: (value: string) => void;
  inline: boolean;
}

/** Presets that move with the clock, or two days of one's own. */
export function PeriodFilter(props: PeriodFilterProps) {
  const { label, value, inline } = props;
  const periodText = usePeriodText();
  const [opened, { toggle, close }] = useDisclosure(false);
  const choice = (
    <Suspense fallback={<Loader size="sm" />}>
      <PeriodChoice {...props} />
    </Suspense>
  );
  if (inline) return choice;
  return (
    <Popover
      position="bottom-start"
      trapFocus
      returnFocus
      withRoles
      opened={opened}
      onChange={(now) => !now && close()}
    >
      <Popover.Target>
        <Button
          variant="default"
          fw={500}
          rightSection={<IconChevronDown size={16} aria-hidden />}
          onClick={toggle}
        >
          {value ? `${label}: ${periodText(value)}` : label}
        </Button>
      </Popover.Target>
      <Popover.Dropdown aria-label={label} p="sm">
        <ScrollArea.Autosize mah={420} type="auto" offsetScrollbars="y">
          {choice}
        </ScrollArea.Autosize>
      </Popover.Dropdown>
    </Popover>
  );
}
