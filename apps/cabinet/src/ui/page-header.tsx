import { ActionIcon, Group, Title } from '@mantine/core';
import type { ReactNode } from 'react';
import { Link } from 'react-router';
import { IconArrowLeft } from './icons.ts';

interface PageHeaderProps {
  title: string;
  /** The way to the page above. */
  back?: { to: string; label: string };
  /** The kind of the object, beside its name. */
  mark?: ReactNode;
  /** The page's actions, the primary one first. */
  children?: ReactNode;
}

/** The one `h1` of a page. The shell moves the focus here after navigation. */
export function PageHeader({ title, back, mark, children }: PageHeaderProps) {
  return (
    <Group justify="space-between" mb="xs" gap="sm" mih={36}>
      <Group gap="sm" miw={0}>
        {back && (
          <ActionIcon
            component={Link}
            to={back.to}
            variant="default"
            size="lg"
            aria-label={back.label}
          >
            <IconArrowLeft size={18} aria-hidden />
          </ActionIcon>
        )}
        <Title
          order={1}
          size="h3"
          tabIndex={-1}
          data-page-title
          data-landing
          style={{ outline: 'none' }}
        >
          {title}
        </Title>
        {mark}
      </Group>
      {children && <Group gap="xs">{children}</Group>}
    </Group>
  );
}
