import { Group } from '@mantine/core';
import type { ReactNode } from 'react';

/** The buttons at the end of a row. */
export function RowActions({ children }: { children: ReactNode }) {
  return (
    <Group gap={4} wrap="nowrap" justify="flex-end">
      {children}
    </Group>
  );
}
