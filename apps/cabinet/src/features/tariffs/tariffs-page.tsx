import type { Tariff } from '@heliograph/contract';
import { isSendingType } from '@heliograph/domain';
import { Skeleton } from '@mantine/core';
import { useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import { useCan, useSettings } from '../../core/settings.ts';
import { useFormats } from '../../core/use-formats.ts';
import { useParam } from '../../core/use-param.ts';
import { DataGrid } from '../../list/grid/data-grid.tsx';
import { FilterBar } from '../../list/filters/filter-bar.tsx';
import type { FilterField } from '../../list/filters/filter-field.ts';
import type { GridColumn } from '../../list/grid/grid-column.ts';
import { Pager } from '../../list/grid/pager.tsx';
import { useListState } from '../../list/state/use-list-state.ts';
import { useList } from '../../list/state/use-list.ts';
import { useRow } from '../../list/state/use-row.ts';
import { useRowLink } from '../../list/state/use-row-link.ts';
import { Empty } from '../../ui/empty.tsx';
import { IconTariff } from '../../ui/icons.ts';
import { later } from '../../ui/later.tsx';
import { PageHeader } from '../../ui/page-header.tsx';
import { Time } from '../../ui/time.tsx';
import { tariffSpec } from './tariffs.api.ts';

// Loaded after the list, because it needs the code of form fields.
const PriceCalculator = later(
  async () => (await import('./price-calculator.tsx')).PriceCalculator,
  <Skeleton height={330} radius="md" mb="md" />,
);
const RulesDialog = later(async () => (await import('./rules-dialog.tsx')).RulesDialog);

/** The tariffs of an account, their rules in words, and a price calculator. */
export function TariffsPage() {
  const { t } = useTranslation();
  const can = useCan();
  const { sendings } = useSettings();
  const control = useListState(tariffSpec);
  const list = useList(tariffSpec, control);
  const columns = useColumns();
  const rowTo = useRowLink();
  const [id, setId] = useParam('id');
  const { OwnerId } = control.state.filters;
  const tariff = useRow(tariffSpec, list, id, { OwnerId: OwnerId?.[0] });
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
    <>
      <PageHeader title={t('tariffs:title')} />
      {can('sendings.generate') && <PriceCalculator OwnerId={OwnerId?.[0]} />}
      <FilterBar fields={fields} control={control} />
      <DataGrid
        caption={t('tariffs:title')}
        columns={columns}
        list={list}
        control={control}
        rowTo={rowTo}
        empty={
          <Empty
            icon={IconTariff}
            title={t('tariffs:empty.title')}
            text={t('tariffs:empty.text')}
          />
        }
      />
      <Pager list={list} control={control} />
      <RulesDialog tariff={tariff} OwnerId={OwnerId?.[0]} onClose={() => setId(null)} />
    </>
  );
}

function useColumns(): GridColumn<Tariff>[] {
  const { t } = useTranslation();
  const formats = useFormats();
  return useMemo(
    () => [
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
      {
        id: 'createdAt',
        header: t('tariffs:created'),
        cell: (row) => <Time at={row.createdAt} />,
        sortable: true,
        width: 170,
        hideBelow: 'md',
      },
    ],
    [t, formats],
  );
}
