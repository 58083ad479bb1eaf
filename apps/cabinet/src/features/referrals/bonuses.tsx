import type { Billing } from '@heliograph/contract';
import { useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import { timeColumn } from '../../list/grid/columns.tsx';
import type { GridColumn } from '../../list/grid/grid-column.ts';
import { ListView } from '../../list/list-view.tsx';
import { useListPage } from '../../list/state/use-list-page.ts';
import { IconReferral } from '../../ui/icons.ts';
import { Money } from '../../ui/money.tsx';
import { bonusSpec } from './referrals.api.ts';

/** The entries of bonuses, and of what was taken back when a payment was refunded. */
export function Bonuses({ OwnerId }: { OwnerId: string }) {
  const { t } = useTranslation();
  const fixed = useMemo(() => ({ OwnerId }), [OwnerId]);
  const page = useListPage(bonusSpec, fixed);
  const columns = useMemo<GridColumn<Billing>[]>(
    () => [
      {
        id: 'kind',
        header: t('referrals:kind'),
        cell: ({ meta }) =>
          t(meta.referral?.isReturn ? 'referrals:returned' : 'referrals:received'),
        card: 'title',
      },
      {
        id: 'amount',
        header: t('billings:amount'),
        cell: (row) => <Money value={row.amount} />,
        sortable: true,
        width: 150,
        align: 'end',
        card: 'end',
        isSensitive: true,
      },
      {
        id: 'name',
        header: t('referrals:account'),
        cell: ({ meta }) => meta.referral?.name,
        width: 180,
        card: 'note',
      },
      {
        id: 'paid',
        header: t('referrals:payment'),
        cell: ({ meta }) => meta.referral && <Money value={meta.referral.paid} />,
        width: 150,
        align: 'end',
        isSensitive: true,
      },
      timeColumn('createdAt', t('billings:created'), { width: 170, card: 'note' }),
    ],
    [t],
  );
  return (
    <ListView
      page={page}
      caption={t('referrals:view.bonuses')}
      fields={[{ kind: 'period', label: t('billings:created') }]}
      columns={columns}
      rowTo={null}
      empty={{
        icon: IconReferral,
        title: t('referrals:empty.bonuses'),
        text: t('referrals:empty.bonusesText'),
      }}
    />
  );
}
