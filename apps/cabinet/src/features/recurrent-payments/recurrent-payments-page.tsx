import type { RecurrentPayment } from '@heliograph/contract';
import { RECURRENT_STATUSES } from '@heliograph/domain';
import { useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import { useSession } from '../../core/session/use-session.ts';
import { timeColumn } from '../../list/grid/columns.tsx';
import type { GridColumn } from '../../list/grid/grid-column.ts';
import { ListPage } from '../../list/list-page.tsx';
import { useListPage } from '../../list/state/use-list-page.ts';
import { useOwnerColumn } from '../../list/grid/use-owner-column.tsx';
import { useCreateButton } from '../../list/create-button.tsx';
import { manyField, type FilterField } from '../../list/filters/filter-field.ts';
import { PeriodMark } from '../../list/filters/period-mark.tsx';
import { IconRepeat } from '../../ui/icons.ts';
import { later } from '../../ui/later.tsx';
import { ReturnedSection } from '../payments/returned-section.tsx';
import { RecurrentBadge } from './recurrent-badge.tsx';
import { recurrentSpec } from './recurrent-payments.api.ts';
import { RuleSentence } from './rule-sentence.tsx';

const Create = later(async () => (await import('./create-recurrent.tsx')).CreateRecurrent);
const Details = later(async () => (await import('./recurrent-dialog.tsx')).RecurrentDialog);

/** Charges of saved cards; `?create=true` opens the form, `?paid=` is where payers return to who saved a card. */
export function RecurrentPaymentsPage() {
  const { t } = useTranslation();
  const { previous } = useSession();
  const page = useListPage(recurrentSpec);
  const columns = useColumns();
  const fields: FilterField[] = [
    { kind: 'search', label: t('recurrentPayments:search') },
    manyField('status', t('payments:statusLabel'), RECURRENT_STATUSES, (value) =>
      t(`recurrentPayments:status.${value}`),
    ),
    { kind: 'period', label: t('payments:created') },
    { kind: 'owner', label: t('payments:owner') },
  ];
  const create = useCreateButton(t('recurrentPayments:create'), 'recurrentPayments.create');
  return (
    <ListPage
      page={page}
      title={t('recurrentPayments:title')}
      mark={<PeriodMark period={page.control.state.period} />}
      fields={fields}
      create={!previous && create}
      intro={<ReturnedSection />}
      columns={columns}
      empty={{
        icon: IconRepeat,
        title: t('recurrentPayments:empty.title'),
        text: t('recurrentPayments:empty.text'),
      }}
    >
      <Create />
      <Details />
    </ListPage>
  );
}

function useColumns(): GridColumn<RecurrentPayment>[] {
  const { t } = useTranslation();
  const owner = useOwnerColumn<RecurrentPayment>();
  return useMemo(
    (): GridColumn<RecurrentPayment>[] => [
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
      timeColumn('nextAt', t('recurrentPayments:next'), { sortable: false, width: 160 }),
      timeColumn('createdAt', t('payments:created'), { width: 160, isOptional: true }),
      ...owner,
    ],
    [t, owner],
  );
}
