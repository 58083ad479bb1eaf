import { Badge } from '@mantine/core';
import type { Icon } from '@tabler/icons-react';
import classes from './status-badge.module.css';

export interface BadgeAppearance {
  color: string;
  icon: Icon;
}

/** Of states that want somebody's hand. */
const LOUD = new Set(['red', 'orange', 'yellow']);

/** A state as icon and word; the colour only repeats it. Those that want a hand are tinted. */
export function StatusBadge({ appearance, label }: { appearance: BadgeAppearance; label: string }) {
  const { color, icon: BadgeIcon } = appearance;
  const isLoud = LOUD.has(color);
  return (
    <Badge
      variant={isLoud ? 'light' : 'transparent'}
      color={color}
      size="lg"
      radius="sm"
      tt="none"
      fw={500}
      data-quiet={!isLoud || undefined}
      leftSection={<BadgeIcon size={isLoud ? 14 : 16} aria-hidden />}
      classNames={classes}
    >
      {label}
    </Badge>
  );
}
