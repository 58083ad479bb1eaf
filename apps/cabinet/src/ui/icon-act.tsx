import { ActionIcon, Tooltip } from '@mantine/core';
import type { Icon } from '@tabler/icons-react';

interface IconActProps {
  icon: Icon;
  /** Says the deed and names what it is done to. */
  label: string;
  disabled?: boolean;
  onClick: () => void;
}

/** A deed on one row: an icon with its name in the tooltip. */
export function IconAct({ icon: ActIcon, label, disabled, onClick }: IconActProps) {
  return (
    <Tooltip label={label}>
      <ActionIcon
        variant="subtle"
        color="gray"
        size="lg"
        aria-label={label}
        disabled={disabled}
        onClick={onClick}
      >
        <ActIcon size={18} aria-hidden />
      </ActionIcon>
    </Tooltip>
  );
}
