import { ActionIcon, Tooltip } from '@mantine/core';
import type { Icon } from '@tabler/icons-react';

interface IconActionProps {
  icon: Icon;
  /** The action with the name of its object. */
  label: string;
  disabled?: boolean;
  /** The key that triggers it in a focused row. */
  shortcut?: string;
  onClick: () => void;
}

/** An action of one row: an icon with a tooltip. */
export function IconAction({
  icon: ActionGlyph,
  label,
  disabled,
  shortcut,
  onClick,
}: IconActionProps) {
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
        <ActionGlyph size={18} aria-hidden />
      </ActionIcon>
    </Tooltip>
  );
}
