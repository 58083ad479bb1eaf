import { Button, Loader, Popover, ScrollArea } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { useTranslation } from 'react-i18next';
import { IconChevronDown } from '../../ui/icons.ts';
import { later } from '../../ui/later.tsx';
import { usePeriodText } from './use-period-text.ts';

const PeriodChoice = later(
  async () => (await import('./period-choice.tsx')).PeriodChoice,
  <Loader size="sm" />,
);

interface PeriodFilterProps {
  label: string;
  maxDays?: number;
  value: string;
  onChange: (value: string) => void;
  inline: boolean;
}

/** Relative presets, or a custom range of two dates. */
export function PeriodFilter(props: PeriodFilterProps) {
  const { label, value, inline } = props;
  const { t } = useTranslation();
  const periodText = usePeriodText();
  const [opened, { toggle, close }] = useDisclosure(false);
  if (inline) return <PeriodChoice {...props} />;
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
          {value ? t('common:labelled', { label, value: periodText(value) }) : label}
        </Button>
      </Popover.Target>
      <Popover.Dropdown aria-label={label} p="sm" miw={400}>
        <ScrollArea.Autosize mah={480} type="auto" offsetScrollbars="y">
          <PeriodChoice {...props} onApplied={close} />
        </ScrollArea.Autosize>
      </Popover.Dropdown>
    </Popover>
  );
}
