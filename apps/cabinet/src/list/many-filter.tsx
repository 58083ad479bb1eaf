import { Button, Checkbox, Popover, ScrollArea, Stack } from '@mantine/core';
import { IconChevronDown } from '../ui/icons.ts';
import { useMirror } from './use-mirror.ts';

interface ManyFilterProps {
  label: string;
  options: { value: string; label: string }[];
  value: string[];
  onChange: (values: string[]) => void;
  inline: boolean;
}

/** Any of several values: a button with the choice behind it, or the choice itself. */
export function ManyFilter({ label, options, value, onChange, inline }: ManyFilterProps) {
  const [chosen, choose] = useMirror(value, onChange);
  const boxes = options.map((option) => (
    <Checkbox key={option.value} value={option.value} label={option.label} />
  ));
  if (inline) {
    return (
      <Checkbox.Group label={label} value={chosen} onChange={choose}>
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
          data-active={chosen.length > 0 || undefined}
        >
          {chosen.length ? `${label}: ${chosen.length}` : label}
        </Button>
      </Popover.Target>
      <Popover.Dropdown aria-label={label} p="sm">
        <ScrollArea.Autosize mah={320} type="auto" offsetScrollbars="y">
          <Checkbox.Group value={chosen} onChange={choose} aria-label={label}>
            <Stack gap="sm" p={4}>
              {boxes}
            </Stack>
          </Checkbox.Group>
        </ScrollArea.Autosize>
      </Popover.Dropdown>
    </Popover>
  );
}
