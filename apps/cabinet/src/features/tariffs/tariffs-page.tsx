import { can, type Tariff } from '@heliograph/contract';
import { isSendingType } from '@heliograph/domain';
import { SimpleGrid, Skeleton } from '@mantine/core';
import { useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import { queryClient } from '../../core/query.ts';
import { settingsQuery, useCan, useSettings } from '../../core/settings.ts';
import { useFormats } from '../../core/use-formats.ts';
import { useParam } from '../../core/use-param.ts';
import type { FilterField } from '../../list/filters/filter-field.ts';
import { timeColumn } from '../../list/grid/columns.tsx';
import { ListPage } from '../../list/list-page.tsx';
import { useListPage } from '../../list/state/use-list-page.ts';
import type { GridColumn } from '../../list/grid/grid-column.ts';
import { useRow } from '../../list/state/use-row.ts';
import { IconTariff } from '../../ui/icons.ts';
import { later } from '../../ui/later.tsx';
import { NoSendernamesSection } from '../sendernames/no-sendernames-section.tsx';
import { minimumQuery } from './monthly-minimum.api.ts';
import { MonthlyMinimumPanel } from './monthly-minimum-panel.tsx';
import { approvedQuery } from '../sendernames/sendernames.api.ts';
import { TariffVolumes } from './tariff-volumes.tsx';
import { pricedByText, tariffSpec, volumesQuery } from './tariffs.api.ts';

// Loaded after the list, because it needs the code of form fields.
const PriceCalculator = later(
  async () => (await import('./price-calculator.tsx')).PriceCalculator,
  ({ OwnerId }) => <CalculatorToCome OwnerId={OwnerId} />,
);
const RulesDialog = later(async () => (await import('./rules-dialog.tsx')).RulesDialog);

/** What the heights of the minimum, the volumes and the calculator depend on. */
export async function prepare(): Promise<void> {
  const { permissions, session } = await queryClient.ensureQueryData(settingsQuery);
  await Promise.all([
    queryClient.prefetchQuery(minimumQuery()),
    queryClient.prefetchQuery(volumesQuery()),
  ]);
  if (can(permissions, 'sendings.generate') && can(permissions, 'sendernames.get'))
    await queryClient.prefetchQuery(approvedQuery('sms', session.OwnerId));
}

function CalculatorToCome({ OwnerId }: { OwnerId?: string }) {
  const [type = 'sms'] = pricedByText(useSettings());
  return (
    <Skeleton pb={{ base: 405, sm: 239 }} px="md" radius="md" mb="md" inert>
      <SimpleGrid cols={{ base: 1, sm: 2 }} spacing="sm">
        <NoSendernamesSection type={type} OwnerId={OwnerId} />
      </SimpleGrid>
    </Skeleton>
  );
}

/** The tariffs of an account, their rules in words, and a price calculator. */
export function TariffsPage() {
  const { t } = useTranslation();
  const may = useCan();
  const { sendings } = useSettings();
  const page = useListPage(tariffSpec);
  const columns = useColumns();
  const [id, setId] = useParam('id');
  const { OwnerId } = page.control.state.filters;
  const tariff = useRow(tariffSpec, page.list, id, { OwnerId: OwnerId?.[0] });
  const fields: FilterField[] = [
    { kind: 'search', label: t('tariffs:search') },
    {
      kind: 'one',
      name: 'source',
      label: t('tariffs:source'),
      options: sendings.types.map((value) => ({ value, label: t(`common:type.${value}`) })),
    },
    { kind: 'owner', label: t('tariffs:ofCustomer') },
  ];
  return (
    <ListPage
      page={page}
      title={t('tariffs:title')}
      fields={fields}
      intro={
        <>
          <MonthlyMinimumPanel OwnerId={OwnerId?.[0]} />
          <TariffVolumes OwnerId={OwnerId?.[0]} />
          {may('sendings.generate') && <PriceCalculator OwnerId={OwnerId?.[0]} />}
        </>
      }
      columns={columns}
      empty={{ icon: IconTariff, title: t('tariffs:empty.title'), text: t('tariffs:empty.text') }}
    >
      <RulesDialog tariff={tariff} OwnerId={OwnerId?.[0]} onClose={() => setId(null)} />
    </ListPage>
  );
}

function useColumns(): GridColumn<Tariff>[] {
  const { t } = useTranslation();
  const formats = useFormats();
  return useMemo(
    (): GridColumn<Tariff>[] => [
      {
        id: 'title',
        header: t('tariffs:name'),
        cell: (row) => row.title,
        sortable: true,
        card: 'title',
      },
      {
        id: 'source',
        header: t('tariffs:source'),
        cell: ({ source }) =>
          isSendingType(source)
            ? t(`common:type.${source}`)
            : t('tariffs:anySource', { name: source }),
        width: 200,
      },
      {
        id: 'priority',
        header: t('tariffs:priority'),
        cell: ({ usersTariffs: [held] }) => held && formats.number(held.priority),
        width: 140,
        align: 'end',
      },
      {
        id: 'rules',
        header: t('tariffs:rules'),
        cell: ({ usersTariffs: [held] }) => held && formats.number(held.finalRules.length),
        width: 120,
        align: 'end',
      },
      timeColumn('createdAt', t('tariffs:created'), { width: 170, hideBelow: 'md' }),
    ],
    [t, formats],
  );
}
