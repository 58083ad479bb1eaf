import { Group, Pill, type GroupProps } from '@mantine/core';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';

export interface AppliedFilter {
  key: string;
  text: string;
  remove: () => void;
}

interface AppliedFiltersProps {
  filters: readonly AppliedFilter[];
  mb?: GroupProps['mb'];
  /** Items behind them. */
  children?: ReactNode;
}

/** Filters, each with a button that removes it. */
export function AppliedFilters({ filters, mb, children }: AppliedFiltersProps) {
  const { t } = useTranslation();
  return (
    <Group
      gap="xs"
      component="ul"
      m={0}
      mb={mb}
      p={0}
      style={{ listStyle: 'none' }}
      aria-label={t('list:applied')}
    >
      {filters.map(({ key, text, remove }) => (
        <li key={key}>
          <Pill
            size="md"
            withRemoveButton
            onRemove={remove}
            removeButtonProps={{
              'aria-label': t('list:removeFilter', { filter: text }),
              'aria-hidden': false,
              tabIndex: 0,
            }}
          >
            {text}
          </Pill>
        </li>
      ))}
      {children}
    </Group>
  );
}
