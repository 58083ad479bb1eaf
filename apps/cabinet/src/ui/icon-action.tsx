import { ActionIcon, Tooltip } from '@mantine/core';
import type { Icon } from '@tabler/icons-react';

interface IconActionProps {
  icon: Icon;
  /** Says the deed and names what it is done to. */
  label: string;
  disabled?: boolean;
  /** The key that does it in a row. */
  shortcut?: string;
  onClick: () => void;
}

/** A deed on one row: an icon with its name in the tooltip. */
export function IconAction({ icon: ActIcon, label, disabled, shortcut, onClick }: IconActionProps) {
  return (
    <Tooltip label={label}>
      <ActionIcon
        variant="subtle"
        color="gray"
        size="lg"
        aria-label={label}
        aria-keyshortcuts={shortcut}
        disabled={disabled}
        onClick={onClick}
      >
        <ActIcon size={18} aria-hidden />
      </ActionIcon>
    </Tooltip>
  );
}
