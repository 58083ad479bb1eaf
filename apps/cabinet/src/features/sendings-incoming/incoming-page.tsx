import type { SendingIncoming } from '@heliograph/contract';
import { Button } from '@mantine/core';
import { useCallback, useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import { Link, useNavigate } from 'react-router';
import { useCan, useSettings } from '../../core/settings.ts';
import { manyField, type FilterField } from '../../list/filters/filter-field.ts';
import { timeColumn } from '../../list/grid/columns.tsx';
import type { GridColumn } from '../../list/grid/grid-column.ts';
import { useOwnerColumn } from '../../list/grid/use-owner-column.tsx';
import { ListPage } from '../../list/list-page.tsx';
import { useListPage } from '../../list/state/use-list-page.ts';
import { IconAction } from '../../ui/icon-action.tsx';
import { IconInbox, IconReply, IconRoute } from '../../ui/icons.ts';
import { later } from '../../ui/later.tsx';
import { incomingSpec } from './incoming.api.ts';
import { replyTo } from './reply.ts';

const IncomingDialog = later(async () => (await import('./incoming-dialog.tsx')).IncomingDialog);

export function IncomingPage() {
  const { t } = useTranslation();
  const can = useCan();
  const navigate = useNavigate();
  const { sendings } = useSettings();
  const page = useListPage(incomingSpec);
  const columns = useIncomingColumns();
  const fields: FilterField[] = [
    { kind: 'search', label: t('incoming:search') },
    manyField('type', t('incoming:type'), sendings.types, (value) => t(`common:type.${value}`)),
    { kind: 'period', label: t('incoming:period'), maxDays: sendings.range },
    { kind: 'owner', label: t('incoming:owner') },
  ];
  const actions = useCallback(
    (row: SendingIncoming) => (
      <IconAction
        icon={IconReply}
        word="reply"
        label={t('incoming:replyTo', { from: row.from })}
        onClick={() => void navigate(replyTo(row))}
      />
    ),
    [navigate, t],
  );
  return (
    <ListPage
      page={page}
      title={t('incoming:title')}
      fields={fields}
      header={
        can('inboundRules.get') && (
          <Button
            component={Link}
            to="/messages/incoming/rules"
            variant="default"
            leftSection={<IconRoute size={18} aria-hidden />}
          >
            {t('incoming:rules')}
          </Button>
        )
      }
      columns={columns}
      actions={can('sendings.generate') ? actions : undefined}
      actionsWidth={70}
      empty={{
        icon: IconInbox,
        title: t('incoming:empty.title'),
        text: t('incoming:empty.text'),
        action: can('sendings.generate') && (
          <Button component={Link} to="/send">
            {t('incoming:empty.action')}
          </Button>
        ),
      }}
    >
      <IncomingDialog />
    </ListPage>
  );
}

function useIncomingColumns(): GridColumn<SendingIncoming>[] {
  const { t } = useTranslation();
  const owner = useOwnerColumn<SendingIncoming>();
  return useMemo(
    (): GridColumn<SendingIncoming>[] => [
      timeColumn('createdAt', t('incoming:created'), { width: 160, card: 'note' }),
      {
        id: 'type',
        header: t('incoming:type'),
        cell: (row) => t(`common:type.${row.type}`),
        width: 120,
        card: 'note',
      },
      {
        id: 'from',
        header: t('incoming:from'),
        cell: (row) => <span className="numeric">{row.from}</span>,
        width: 160,
        card: 'title',
        isSensitive: true,
      },
      {
        id: 'to',
        header: t('incoming:to'),
        cell: (row) => row.to,
        width: 140,
        hideBelow: 'lg',
        card: 'note',
        isSensitive: true,
      },
      ...owner,
      {
        id: 'text',
        header: t('incoming:text'),
        cell: ({ payload }) =>
          [
            payload.text,
            payload.image && t('incoming:with.image'),
            payload.file && t('incoming:with.file'),
          ]
            .filter(Boolean)
            .join(' · '),
        isSensitive: true,
        card: 'body',
      },
    ],
    [t, owner],
  );
}
