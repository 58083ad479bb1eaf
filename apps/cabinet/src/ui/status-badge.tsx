import { Badge } from '@mantine/core';
import type { Icon } from '@tabler/icons-react';

export interface BadgeLook {
  color: string;
  icon: Icon;
}

/** A state said by icon and word; the colour only repeats it. */
export function StatusBadge({ look, label }: { look: BadgeLook; label: string }) {
  const { color, icon: LookIcon } = look;
  return (
    <Badge
      variant="light"
      color={color}
      size="lg"
      radius="sm"
      tt="none"
      fw={500}
      leftSection={<LookIcon size={14} aria-hidden />}
      style={{ maxWidth: '100%' }}
    >
      {label}
    </Badge>
  );
}
