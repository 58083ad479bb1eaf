import { EmptyState, Group } from '@mantine/core';
import type { Icon } from '@tabler/icons-react';
import type { ReactNode } from 'react';

interface EmptyProps {
  icon: Icon;
  /** Of the icon, where it is to warn. */
  color?: string;
  title: string;
  /** Why it is empty and what it will be good for. */
  text?: ReactNode;
  /** One action, perhaps one link. */
  children?: ReactNode;
}

export function Empty({ icon: EmptyIcon, color, title, text, children }: EmptyProps) {
  return (
    <EmptyState
      icon={<EmptyIcon size={40} stroke={1.5} color={color} aria-hidden />}
      title={title}
      description={text}
      py="xl"
      px="md"
    >
      {children && (
        <Group justify="center" mt="md">
          {children}
        </Group>
      )}
    </EmptyState>
  );
}
