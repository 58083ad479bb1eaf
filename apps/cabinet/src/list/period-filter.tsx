import { Button, Popover, Radio, ScrollArea, Stack } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { useTranslation } from 'react-i18next';
import { PERIODS } from '../core/period.ts';
import { IconChevronDown } from '../ui/icons.ts';
import { PeriodDates } from './period-dates.tsx';
import { useMirror } from './use-mirror.ts';
import { usePeriodText } from './use-period-text.ts';

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
          {value ? `${label}: ${periodText(value)}` : label}
        </Button>
      </Popover.Target>
      <Popover.Dropdown aria-label={label} p="sm">
        <ScrollArea.Autosize mah={420} type="auto" offsetScrollbars="y">
          <PeriodChoice {...props} />
        </ScrollArea.Autosize>
      </Popover.Dropdown>
    </Popover>
  );
}

function PeriodChoice({ label, maxDays, value: applied, onChange: apply }: PeriodFilterProps) {
  const { t } = useTranslation();
  const [value, onChange] = useMirror(applied, apply);
  const preset = (PERIODS as readonly string[]).includes(value) ? value : '';
  return (
    <Stack gap="sm" p={4} miw={220}>
      <Radio.Group
        label={label}
        value={value === '' ? 'any' : preset}
        onChange={(v) => onChange(v === 'any' ? '' : v)}
      >
        <Stack gap="sm" mt="xs">
          <Radio value="any" label={t('list:period.any')} />
          {PERIODS.map((period) => (
            <Radio key={period} value={period} label={t(`list:period.${period}`)} />
          ))}
        </Stack>
      </Radio.Group>
      <PeriodDates key={value} value={preset ? '' : value} maxDays={maxDays} onChange={onChange} />
    </Stack>
  );
}
