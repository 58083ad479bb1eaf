import { Button, Code, Text } from '@mantine/core';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { isForbidden } from '../../core/errors.ts';
import { Empty } from '../../ui/empty.tsx';
import { ErrorCard } from '../../ui/error-card.tsx';
import { IconLock, IconSearch } from '../../ui/icons.ts';
import { isFirstUse } from '../state/list-state.ts';
import type { ListControl } from '../state/use-list-state.ts';
import type { List } from '../state/use-list.ts';

interface ListStatusProps {
  list: List<unknown>;
  control: ListControl;
  empty: ReactNode;
  /** Shown instead of the general sentence when no row matches the filters. */
  noResults?: ReactNode;
  children: ReactNode;
}

/** Shows one of: missing permission, failed request, no rows yet, no rows under these filters, the rows. */
export function ListStatus({ list, control, empty, noResults, children }: ListStatusProps) {
  const { t } = useTranslation();
  const { rows, loading, error } = list;
  if (isForbidden(error)) {
    return (
      <Empty icon={IconLock} title={t('list:forbidden.title')} text={t('list:forbidden.text')}>
        <Text size="sm" c="dimmed">
          {t('list:forbidden.need')} <Code>{control.spec.endpoint.can}</Code>
        </Text>
      </Empty>
    );
  }
  if (error && rows.length === 0) {
    return <ErrorCard title={t('list:failed')} error={error} onRetry={list.retry} />;
  }
  if (loading || rows.length > 0) {
    return (
      <>
        {error ? <ErrorCard title={t('list:stale')} error={error} onRetry={list.retry} /> : null}
        {children}
      </>
    );
  }
  if (isFirstUse(list, control.state)) return empty;
  if (noResults) return noResults;
  return (
    <Empty icon={IconSearch} title={t('list:noResults.title')} text={t('list:noResults.text')}>
      <Button variant="default" onClick={control.clear}>
        {t('list:clearFilters')}
      </Button>
    </Empty>
  );
}
