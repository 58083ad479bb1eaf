import { Badge } from '@mantine/core';
import type { Icon } from '@tabler/icons-react';
import classes from './status-badge.module.css';

export interface BadgeAppearance {
  color: string;
  icon: Icon;
}

/** A state as icon and word; the colour only repeats it. */
export function StatusBadge({ appearance, label }: { appearance: BadgeAppearance; label: string }) {
  const { color, icon: BadgeIcon } = appearance;
  return (
    <Badge
      variant="light"
      color={color}
      size="lg"
      radius="sm"
      tt="none"
      fw={500}
      leftSection={<BadgeIcon size={14} aria-hidden />}
      classNames={classes}
    >
      {label}
    </Badge>
  );
}
