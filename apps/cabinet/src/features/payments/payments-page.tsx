import { PAYMENT_METHODS } from '@heliograph/contract';
import { PAYMENT_STATUSES } from '@heliograph/domain';
import { useTranslation } from 'react-i18next';
import { useCan } from '../../core/settings.ts';
import { useParam } from '../../core/use-param.ts';
import { DataGrid } from '../../list/grid/data-grid.tsx';
import { CreateButton } from '../../list/create-button.tsx';
import { FilterBar } from '../../list/filters/filter-bar.tsx';
import type { FilterField } from '../../list/filters/filter-field.ts';
import { PeriodMark } from '../../list/filters/period-mark.tsx';
import { isFirstUse } from '../../list/state/list-state.ts';
import { Pager } from '../../list/grid/pager.tsx';
import { useListState } from '../../list/state/use-list-state.ts';
import { useList } from '../../list/state/use-list.ts';
import { useRowLink } from '../../list/state/use-row-link.ts';
import { Empty } from '../../ui/empty.tsx';
import { IconWallet } from '../../ui/icons.ts';
import { later } from '../../ui/later.tsx';
import { PageHeader } from '../../ui/page-header.tsx';
import { BalanceSection } from '../balance/balance-section.tsx';
import { paymentSpec } from './payments.api.ts';
import { ReturnedSection } from './returned-section.tsx';
import { usePaymentColumns } from './use-payment-columns.tsx';

export { prepareBalance as prepare } from '../balance/balance-section.tsx';

const Details = later(async () => (await import('./payment-dialog.tsx')).PaymentDialog);

/** Payments of the account; `?topUp=true` opens the dialog, `?paid=` is where payers return to. */
export function PaymentsPage() {
  const { t } = useTranslation();
  const can = useCan();
  const control = useListState(paymentSpec);
  const list = useList(paymentSpec, control);
  const columns = usePaymentColumns();
  const rowTo = useRowLink();
  const [, setTopUp] = useParam('topUp');
  const fields: FilterField[] = [
    { kind: 'search', label: t('payments:search') },
    {
      kind: 'many',
      name: 'status',
      label: t('payments:statusLabel'),
      options: PAYMENT_STATUSES.map((value) => ({ value, label: t(`payments:status.${value}`) })),
    },
    {
      kind: 'many',
      name: 'method',
      label: t('payments:method'),
      options: PAYMENT_METHODS.map((value) => ({ value, label: t(`payments:methods.${value}`) })),
    },
    { kind: 'period', label: t('payments:created') },
    { kind: 'given', name: 'RecurrentPaymentId', label: t('payments:ofRecurrent') },
    { kind: 'owner', label: t('payments:owner') },
  ];
  const create = can('payments.create') && (
    <CreateButton onClick={() => setTopUp('true')}>{t('payments:topUp')}</CreateButton>
  );
  return (
    <>
      <PageHeader title={t('payments:title')} mark={<PeriodMark period={control.state.period} />}>
        {!isFirstUse(list, control.state) && create}
      </PageHeader>
      <ReturnedSection />
      <BalanceSection />
      <FilterBar fields={fields} control={control} />
      <DataGrid
        caption={t('payments:title')}
        columns={columns}
        list={list}
        control={control}
        rowTo={rowTo}
        empty={
          <Empty
            icon={IconWallet}
            title={t('payments:empty.title')}
            text={t('payments:empty.text')}
          >
            {create}
          </Empty>
        }
      />
      <Pager list={list} control={control} />
      <Details />
    </>
  );
}
