import type { SendingIncoming } from '@heliograph/contract';
import { Button } from '@mantine/core';
import { useCallback } from 'react';
import { useTranslation } from 'react-i18next';
import { Link, useNavigate } from 'react-router';
import { useCan, useSettings } from '../../core/settings.ts';
import { DataGrid } from '../../list/grid/data-grid.tsx';
import { FilterBar } from '../../list/filters/filter-bar.tsx';
import type { FilterField } from '../../list/filters/filter-field.ts';
import { Pager } from '../../list/grid/pager.tsx';
import { useListState } from '../../list/state/use-list-state.ts';
import { useList } from '../../list/state/use-list.ts';
import { useRowLink } from '../../list/state/use-row-link.ts';
import { Empty } from '../../ui/empty.tsx';
import { IconAction } from '../../ui/icon-action.tsx';
import { IconInbox, IconReply } from '../../ui/icons.ts';
import { later } from '../../ui/later.tsx';
import { PageHeader } from '../../ui/page-header.tsx';
import { incomingSpec } from './incoming.api.ts';
import { replyTo } from './reply.ts';
import { useIncomingColumns } from './use-incoming-columns.tsx';

const IncomingDialog = later(async () => (await import('./incoming-dialog.tsx')).IncomingDialog);

export function IncomingPage() {
  const { t } = useTranslation();
  const can = useCan();
  const navigate = useNavigate();
  const { sendings } = useSettings();
  const control = useListState(incomingSpec);
  const list = useList(incomingSpec, control);
  const columns = useIncomingColumns();
  const rowTo = useRowLink();
  const fields: FilterField[] = [
    { kind: 'search', label: t('incoming:search') },
    {
      kind: 'many',
      name: 'type',
      label: t('incoming:type'),
      options: sendings.types.map((value) => ({ value, label: t(`common:type.${value}`) })),
    },
    { kind: 'period', label: t('incoming:period'), maxDays: sendings.range },
    { kind: 'owner', label: t('incoming:owner') },
  ];
  const actions = useCallback(
    (row: SendingIncoming) => (
      <IconAction
        icon={IconReply}
        label={t('incoming:replyTo', { from: row.from })}
        onClick={() => void navigate(replyTo(row))}
      />
    ),
    [navigate, t],
  );
  return (
    <>
      <PageHeader title={t('incoming:title')} />
      <FilterBar fields={fields} control={control} />
      <DataGrid
        caption={t('incoming:title')}
        columns={columns}
        list={list}
        control={control}
        rowTo={rowTo}
        actions={can('sendings.generate') ? actions : undefined}
        actionsWidth={70}
        empty={
          <Empty icon={IconInbox} title={t('incoming:empty.title')} text={t('incoming:empty.text')}>
            {can('sendings.generate') && (
              <Button component={Link} to="/send">
                {t('incoming:empty.action')}
              </Button>
            )}
          </Empty>
        }
      />
      <Pager list={list} control={control} />
      <IncomingDialog />
    </>
  );
}
