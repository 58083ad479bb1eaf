import type { RecurrentPayment } from '@heliograph/contract';
import { RECURRENT_STATUSES } from '@heliograph/domain';
import { useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import { useSession } from '../../core/session/use-session.ts';
import { useCan } from '../../core/settings.ts';
import { useParam } from '../../core/use-param.ts';
import { DataGrid } from '../../list/grid/data-grid.tsx';
import type { GridColumn } from '../../list/grid/grid-column.ts';
import { useOwnerColumn } from '../../list/grid/use-owner-column.tsx';
import { CreateButton } from '../../list/create-button.tsx';
import { FilterBar } from '../../list/filters/filter-bar.tsx';
import type { FilterField } from '../../list/filters/filter-field.ts';
import { isFirstUse } from '../../list/state/list-state.ts';
import { Pager } from '../../list/grid/pager.tsx';
import { useListState } from '../../list/state/use-list-state.ts';
import { useList } from '../../list/state/use-list.ts';
import { useRowLink } from '../../list/state/use-row-link.ts';
import { Empty } from '../../ui/empty.tsx';
import { IconRepeat } from '../../ui/icons.ts';
import { later } from '../../ui/later.tsx';
import { PageHeader } from '../../ui/page-header.tsx';
import { Time } from '../../ui/time.tsx';
import { ReturnedSection } from '../payments/returned-section.tsx';
import { RecurrentBadge } from './recurrent-badge.tsx';
import { recurrentSpec } from './recurrent-payments.api.ts';
import { RuleSentence } from './rule-sentence.tsx';

const Create = later(async () => (await import('./create-recurrent.tsx')).CreateRecurrent);
const Details = later(async () => (await import('./recurrent-dialog.tsx')).RecurrentDialog);

/** Charges of saved cards; `?create=true` opens the form, `?paid=` is where payers return to who saved a card. */
export function RecurrentPaymentsPage() {
  const { t } = useTranslation();
  const can = useCan();
  const { previous } = useSession();
  const control = useListState(recurrentSpec);
  const list = useList(recurrentSpec, control);
  const columns = useColumns();
  const rowTo = useRowLink();
  const [, setCreating] = useParam('create');
  const fields: FilterField[] = [
    { kind: 'search', label: t('recurrentPayments:search') },
    {
      kind: 'many',
      name: 'status',
      label: t('payments:statusLabel'),
      options: RECURRENT_STATUSES.map((value) => ({
        value,
        label: t(`recurrentPayments:status.${value}`),
      })),
    },
    { kind: 'owner', label: t('payments:owner') },
  ];
  // The server refuses it in a session that was opened for somebody else.
  const create = can('recurrentPayments.create') && !previous && (
    <CreateButton onClick={() => setCreating('true')}>{t('recurrentPayments:create')}</CreateButton>
  );
  return (
    <>
      <PageHeader title={t('recurrentPayments:title')}>
        {!isFirstUse(list, control.state) && create}
      </PageHeader>
      <ReturnedSection />
      <FilterBar fields={fields} control={control} />
      <DataGrid
        caption={t('recurrentPayments:title')}
        columns={columns}
        list={list}
        control={control}
        rowTo={rowTo}
        empty={
          <Empty
            icon={IconRepeat}
            title={t('recurrentPayments:empty.title')}
            text={t('recurrentPayments:empty.text')}
          >
            {create}
          </Empty>
        }
      />
      <Pager list={list} control={control} />
      <Create />
      <Details />
    </>
  );
}

function useColumns(): GridColumn<RecurrentPayment>[] {
  const { t } = useTranslation();
  const owner = useOwnerColumn<RecurrentPayment>();
  return useMemo(
    () => [
      {
        id: 'rule',
        header: t('recurrentPayments:rule.label'),
        cell: (row) => <RuleSentence row={row} />,
        isSensitive: true,
        card: 'title',
      },
      {
        id: 'status',
        header: t('payments:statusLabel'),
        cell: (row) => <RecurrentBadge status={row.status} />,
        width: 210,
        card: 'note',
      },
      {
        id: 'card',
        header: t('payments:card'),
        cell: (row) =>
          row.meta.bankData && <span className="numeric">•••• {row.meta.bankData.cardNumber}</span>,
        isSensitive: true,
        width: 120,
        card: 'note',
      },
      {
        id: 'nextAt',
        header: t('recurrentPayments:next'),
        cell: (row) => row.nextAt && <Time at={row.nextAt} />,
        width: 160,
      },
      {
        id: 'createdAt',
        header: t('payments:created'),
        cell: (row) => <Time at={row.createdAt} />,
        sortable: true,
        width: 160,
        isOptional: true,
      },
      ...owner,
    ],
    [t, owner],
  );
}
