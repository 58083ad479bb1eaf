import type { WapiInstance } from '@heliograph/contract';
import { WAPI_STATES } from '@heliograph/domain';
import { useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import { useSession } from '../../core/session/use-session.ts';
import { useCreateButton } from '../../list/create-button.tsx';
import { manyField } from '../../list/filters/filter-field.ts';
import { timeColumn } from '../../list/grid/columns.tsx';
import type { GridColumn } from '../../list/grid/grid-column.ts';
import { useOwnerColumn } from '../../list/grid/use-owner-column.tsx';
import { ListPage } from '../../list/list-page.tsx';
import { useListPage } from '../../list/state/use-list-page.ts';
import { IconPhone } from '../../ui/icons.ts';
import { later } from '../../ui/later.tsx';
import { WapiBadge } from './wapi-badge.tsx';
import { wapiSpec } from './wapi.api.ts';

const CreateWapi = later(async () => (await import('./create-wapi.tsx')).CreateWapi);
const WapiDialog = later(async () => (await import('./wapi-dialog.tsx')).WapiDialog);

/** WhatsApp instances; `?create=true` opens the purchase, `?id=` an instance. */
export function WapiPage() {
  const { t } = useTranslation();
  const { previous } = useSession();
  const page = useListPage(wapiSpec);
  const columns = useColumns();
  const create = useCreateButton(t('wapi:create'), 'wapi.create');
  return (
    <ListPage
      page={page}
      title={t('wapi:title')}
      fields={[
        { kind: 'search', label: t('wapi:search') },
        manyField('state', t('wapi:stateLabel'), WAPI_STATES, (state) => t(`wapi:state.${state}`)),
        { kind: 'owner', label: t('wapi:owner') },
      ]}
      // The server refuses it in a session that was opened for somebody else.
      create={!previous && create}
      intro={t('wapi:intro')}
      columns={columns}
      empty={{ icon: IconPhone, title: t('wapi:empty.title'), text: t('wapi:empty.text') }}
    >
      <CreateWapi />
      <WapiDialog />
    </ListPage>
  );
}

function useColumns(): GridColumn<WapiInstance>[] {
  const { t } = useTranslation();
  const owner = useOwnerColumn<WapiInstance>();
  return useMemo(
    (): GridColumn<WapiInstance>[] => [
      {
        id: 'phone',
        header: t('wapi:phone'),
        cell: (row) => row.phone ?? t('wapi:noPhone'),
        isSensitive: true,
        card: 'title',
      },
      {
        id: 'state',
        header: t('wapi:stateLabel'),
        cell: (row) => <WapiBadge row={row} />,
        width: 200,
        card: 'end',
      },
      timeColumn('expiredAt', t('wapi:paidUntil'), { width: 170 }),
      {
        id: 'isCanceled',
        header: t('wapi:autoRenewal'),
        cell: (row) => t(row.isCanceled ? 'wapi:off' : 'wapi:on'),
        width: 180,
        hideBelow: 'lg',
      },
      ...owner,
      timeColumn('createdAt', t('wapi:created'), { width: 150, isOptional: true, card: 'note' }),
    ],
    [t, owner],
  );
}
