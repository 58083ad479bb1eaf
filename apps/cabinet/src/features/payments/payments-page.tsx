import { PAYMENT_METHODS, type Payment } from '@heliograph/contract';
import { PAYMENT_STATUSES } from '@heliograph/domain';
import { useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import { useCan } from '../../core/settings.ts';
import { useParam } from '../../core/use-param.ts';
import { CreateButton } from '../../list/create-button.tsx';
import { manyField, type FilterField } from '../../list/filters/filter-field.ts';
import { PeriodMark } from '../../list/filters/period-mark.tsx';
import { timeColumn } from '../../list/grid/columns.tsx';
import type { GridColumn } from '../../list/grid/grid-column.ts';
import { ListPage } from '../../list/list-page.tsx';
import { useListPage } from '../../list/state/use-list-page.ts';
import { useOwnerColumn } from '../../list/grid/use-owner-column.tsx';
import { IconWallet } from '../../ui/icons.ts';
import { later } from '../../ui/later.tsx';
import { Money } from '../../ui/money.tsx';
import { BalanceSection } from '../balance/balance-section.tsx';
import { PaymentBadge } from './payment-badge.tsx';
import { paymentSpec } from './payments.api.ts';
import { ReturnedSection } from './returned-section.tsx';

export { prepareBalance as prepare } from '../balance/balance-section.tsx';

const Details = later(async () => (await import('./payment-dialog.tsx')).PaymentDialog);

/** Payments of the account; `?topUp=true` opens the dialog, `?paid=` is where payers return to. */
export function PaymentsPage() {
  const { t } = useTranslation();
  const can = useCan();
  const page = useListPage(paymentSpec);
  const columns = usePaymentColumns();
  const [, setTopUp] = useParam('topUp');
  const fields: FilterField[] = [
    { kind: 'search', label: t('payments:search') },
    manyField('status', t('payments:statusLabel'), PAYMENT_STATUSES, (value) =>
      t(`payments:status.${value}`),
    ),
    manyField('method', t('payments:method'), PAYMENT_METHODS, (value) =>
      t(`payments:methods.${value}`),
    ),
    { kind: 'period', label: t('payments:created') },
    { kind: 'given', name: 'RecurrentPaymentId', label: t('payments:ofRecurrent') },
    { kind: 'owner', label: t('payments:owner') },
  ];
  const create = can('payments.create') && (
    <CreateButton onClick={() => setTopUp('true')}>{t('payments:topUp')}</CreateButton>
  );
  return (
    <ListPage
      page={page}
      title={t('payments:title')}
      mark={<PeriodMark period={page.control.state.period} />}
      fields={fields}
      create={create}
      intro={
        <>
          <ReturnedSection />
          <BalanceSection />
        </>
      }
      columns={columns}
      empty={{ icon: IconWallet, title: t('payments:empty.title'), text: t('payments:empty.text') }}
    >
      <Details />
    </ListPage>
  );
}

function usePaymentColumns(): GridColumn<Payment>[] {
  const { t } = useTranslation();
  const owner = useOwnerColumn<Payment>();
  return useMemo(
    (): GridColumn<Payment>[] => [
      timeColumn('createdAt', t('payments:created'), { width: 160, card: 'title' }),
      {
        id: 'amount',
        header: t('payments:amount'),
        cell: (row) => (
          <Money
            value={row.amount}
            currency={row.currency}
            refunded={row.status === 'refunded' && t('payments:status.refunded')}
          />
        ),
        sortable: true,
        align: 'end',
        width: 140,
        isSensitive: true,
        card: 'end',
      },
      {
        id: 'status',
        header: t('payments:statusLabel'),
        cell: (row) => <PaymentBadge status={row.status} />,
        width: 220,
        card: 'note',
      },
      {
        id: 'method',
        header: t('payments:method'),
        cell: (row) => t(`payments:methods.${row.method as 'sandbox'}`),
        card: 'note',
      },
      {
        id: 'card',
        header: t('payments:card'),
        cell: (row) =>
          row.meta.bankData && <span className="numeric">•••• {row.meta.bankData.cardNumber}</span>,
        isSensitive: true,
        width: 120,
        hideBelow: 'lg',
        card: 'note',
      },
      {
        id: 'commission',
        header: t('payments:commission'),
        cell: (row) => <Money value={row.commission} currency={row.currency} />,
        align: 'end',
        width: 120,
        isOptional: true,
        isSensitive: true,
      },
      ...owner,
    ],
    [t, owner],
  );
}
