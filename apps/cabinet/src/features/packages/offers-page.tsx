import type { PackageOffer } from '@heliograph/contract';
import { useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import { useFormats } from '../../core/use-formats.ts';
import { useCreateButton } from '../../list/create-button.tsx';
import type { FilterField } from '../../list/filters/filter-field.ts';
import { timeColumn } from '../../list/grid/columns.tsx';
import type { GridColumn } from '../../list/grid/grid-column.ts';
import { ListPage } from '../../list/list-page.tsx';
import { useListPage } from '../../list/state/use-list-page.ts';
import { IconCheck, IconPackage, IconPause } from '../../ui/icons.ts';
import { later } from '../../ui/later.tsx';
import { Money } from '../../ui/money.tsx';
import { StatusBadge } from '../../ui/status-badge.tsx';
import { offerSpec } from './packages.api.ts';
import { useCoverage } from './use-coverage.ts';

const OfferDialog = later(async () => (await import('./offer-dialog.tsx')).OfferDialog);

/** The packages of messages that accounts can buy, and what was sold of them; for those who define them. */
export function OffersPage() {
  const { t } = useTranslation();
  const page = useListPage(offerSpec);
  const columns = useOfferColumns();
  const fields: FilterField[] = [
    { kind: 'search', label: t('packageOffers:search') },
    {
      kind: 'one',
      name: 'isActive',
      label: t('packageOffers:state'),
      options: [
        { value: 'true', label: t('packageOffers:active') },
        { value: 'false', label: t('packageOffers:ended') },
      ],
    },
  ];
  const create = useCreateButton(t('packageOffers:create'), 'packageOffers.create', 'managerUp');
  return (
    <ListPage
      page={page}
      title={t('packageOffers:title')}
      fields={fields}
      create={create}
      columns={columns}
      empty={{
        icon: IconPackage,
        title: t('packageOffers:empty.title'),
        text: t('packageOffers:empty.text'),
      }}
    >
      <OfferDialog />
    </ListPage>
  );
}

const ACTIVE = { color: 'green', icon: IconCheck };
const ENDED = { color: 'gray', icon: IconPause };

function useOfferColumns(): GridColumn<PackageOffer>[] {
  const { t } = useTranslation();
  const formats = useFormats();
  return useMemo((): GridColumn<PackageOffer>[] => {
    const number = (
      id: string,
      header: string,
      valueOf: (row: PackageOffer) => number | undefined,
    ): GridColumn<PackageOffer> => ({
      id,
      header,
      cell: (row) => <span className="numeric">{formats.number(valueOf(row) ?? 0)}</span>,
      width: 100,
      align: 'end',
    });
    return [
      {
        id: 'title',
        header: t('packageOffers:name'),
        cell: ({ title }) => title,
        sortable: true,
        card: 'title',
      },
      {
        id: 'covers',
        header: t('packageOffers:covers'),
        cell: (row) => <Coverage offer={row} />,
        card: 'wide',
      },
      {
        id: 'price',
        header: t('packageOffers:price'),
        cell: ({ price, currency }) => <Money value={price} currency={currency} />,
        sortable: true,
        width: 120,
        align: 'end',
        card: 'end',
      },
      number('units', t('packageOffers:units'), ({ units }) => units),
      { ...number('days', t('packageOffers:days'), ({ days }) => days), width: 70 },
      number('sold', t('packageOffers:sold'), ({ sales }) => sales?.packages),
      number('unitsLeft', t('packageOffers:unitsLeft'), ({ sales }) => sales?.unitsLeft),
      {
        id: 'isActive',
        header: t('packageOffers:state'),
        cell: ({ isActive }) => (
          <StatusBadge
            appearance={isActive ? ACTIVE : ENDED}
            label={t(isActive ? 'packageOffers:active' : 'packageOffers:ended')}
          />
        ),
        width: 120,
        card: 'body',
      },
      timeColumn('createdAt', t('packageOffers:created'), { width: 150, hideBelow: 'xl' }),
    ];
  }, [t, formats]);
}

function Coverage({ offer }: { offer: PackageOffer }) {
  const text = useCoverage(offer);
  return <span title={text}>{text}</span>;
}
