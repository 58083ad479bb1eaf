import { REFERRAL_STATES, type Referral } from '@heliograph/contract';
import { useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import { useFormats } from '../../core/use-formats.ts';
import { manyField } from '../../list/filters/filter-field.ts';
import { timeColumn } from '../../list/grid/columns.tsx';
import type { GridColumn } from '../../list/grid/grid-column.ts';
import { ListView } from '../../list/list-view.tsx';
import { useListPage } from '../../list/state/use-list-page.ts';
import { IconCheck, IconClock, IconReferral } from '../../ui/icons.ts';
import { Money } from '../../ui/money.tsx';
import { StatusBadge, type BadgeAppearance } from '../../ui/status-badge.tsx';
import { referralSpec } from './referrals.api.ts';

const APPEARANCE: Record<Referral['state'], BadgeAppearance> = {
  active: { color: 'green', icon: IconCheck },
  ended: { color: 'gray', icon: IconClock },
};

/** Who registered with the code: masked names, and nothing that is only theirs. */
export function ReferredAccounts({ OwnerId }: { OwnerId: string }) {
  const { t } = useTranslation();
  const formats = useFormats();
  const fixed = useMemo(() => ({ OwnerId }), [OwnerId]);
  const page = useListPage(referralSpec, fixed);
  const columns = useMemo<GridColumn<Referral>[]>(
    () => [
      { id: 'name', header: t('referrals:account'), cell: (row) => row.name, card: 'title' },
      {
        id: 'state',
        header: t('referrals:stateLabel'),
        cell: (row) => (
          <StatusBadge
            appearance={APPEARANCE[row.state]}
            label={t(`referrals:state.${row.state}`)}
          />
        ),
        width: 190,
        card: 'body',
      },
      {
        id: 'payments',
        header: t('referrals:payments'),
        cell: (row) => formats.number(row.payments),
        width: 120,
        align: 'end',
      },
      {
        id: 'bonus',
        header: t('referrals:bonus'),
        cell: (row) => <Money value={row.bonus} currency={row.currency} />,
        sortable: true,
        width: 150,
        align: 'end',
        card: 'end',
        isSensitive: true,
      },
      {
        id: 'endsAt',
        header: t('referrals:endsAt'),
        cell: (row) => <time dateTime={row.endsAt}>{formats.date(row.endsAt)}</time>,
        width: 170,
        hideBelow: 'md',
      },
      timeColumn('createdAt', t('referrals:registered'), { width: 170, card: 'note' }),
    ],
    [t, formats],
  );
  return (
    <ListView
      page={page}
      caption={t('referrals:view.accounts')}
      fields={[
        manyField('state', t('referrals:stateLabel'), REFERRAL_STATES, (value) =>
          t(`referrals:state.${value}`),
        ),
        { kind: 'period', label: t('referrals:registered') },
      ]}
      columns={columns}
      rowTo={null}
      empty={{
        icon: IconReferral,
        title: t('referrals:empty.accounts'),
        text: t('referrals:empty.accountsText'),
      }}
    />
  );
}
