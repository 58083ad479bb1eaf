import { Group, Title } from '@mantine/core';
import type { ReactNode } from 'react';

interface PageHeaderProps {
  title: string;
  /** What the page is for, one primary action first. */
  children?: ReactNode;
}

/** The one `h1` of a page. The shell moves the focus here after navigation. */
export function PageHeader({ title, children }: PageHeaderProps) {
  return (
    <Group justify="space-between" mb="md" gap="sm" mih={36}>
      <Title order={1} size="h2" tabIndex={-1} data-page-title style={{ outline: 'none' }}>
        {title}
      </Title>
      {children && <Group gap="xs">{children}</Group>}
    </Group>
  );
}
