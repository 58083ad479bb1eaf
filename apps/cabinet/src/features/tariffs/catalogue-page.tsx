import type { CatalogueTariff } from '@heliograph/contract';
import { isSendingType } from '@heliograph/domain';
import { Badge, Group } from '@mantine/core';
import { useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import { useNavigate } from 'react-router';
import { useCan } from '../../core/settings.ts';
import { useFormats } from '../../core/use-formats.ts';
import { CreateButton } from '../../list/create-button.tsx';
import type { FilterField } from '../../list/filters/filter-field.ts';
import { timeColumn } from '../../list/grid/columns.tsx';
import type { GridColumn } from '../../list/grid/grid-column.ts';
import { ListPage } from '../../list/list-page.tsx';
import { useListPage } from '../../list/state/use-list-page.ts';
import type { Removal } from '../../list/use-removal.tsx';
import { IconTariff } from '../../ui/icons.ts';
import { catalogueSpec, useRemoveTariff } from './catalogue.api.ts';

const pathOf = ({ id }: { id: string }) => `/tariffCatalogue/${id}`;

const REMOVAL: Removal<CatalogueTariff> = {
  can: ['tariffs.remove', 'resellerUp'],
  // One that accounts have, or new ones get, stays.
  of: ({ accounts, isDefault }) => !accounts && !isDefault,
  useChange: useRemoveTariff,
  words: (t, { title }) => ({
    question: t('tariffCatalogue:removeQuestion', { title }),
    action: t('tariffCatalogue:remove', { title }),
    text: t('tariffCatalogue:removeText'),
  }),
};

/** All tariffs of the installation, for those who set prices. */
export function CataloguePage() {
  const { t } = useTranslation();
  const can = useCan();
  const navigate = useNavigate();
  const page = useListPage(catalogueSpec);
  const columns = useCatalogueColumns();
  const fields: FilterField[] = [{ kind: 'search', label: t('tariffs:search') }];
  const create = can('tariffs.create', 'resellerUp') && (
    <CreateButton onClick={() => void navigate('/tariffCatalogue/create')}>
      {t('tariffCatalogue:create')}
    </CreateButton>
  );
  return (
    <ListPage
      page={page}
      title={t('tariffCatalogue:title')}
      fields={fields}
      create={create}
      columns={columns}
      removal={REMOVAL}
      rowTo={pathOf}
      empty={{
        icon: IconTariff,
        title: t('tariffCatalogue:empty.title'),
        text: t('tariffCatalogue:empty.text'),
      }}
    />
  );
}

function useCatalogueColumns(): GridColumn<CatalogueTariff>[] {
  const { t } = useTranslation();
  const formats = useFormats();
  return useMemo((): GridColumn<CatalogueTariff>[] => {
    const number = (
      id: string,
      header: string,
      valueOf: (row: CatalogueTariff) => number,
    ): GridColumn<CatalogueTariff> => ({
      id,
      header,
      cell: (row) => <span className="numeric">{formats.number(valueOf(row))}</span>,
      width: 120,
      align: 'end',
    });
    return [
      {
        id: 'title',
        header: t('tariffs:name'),
        cell: ({ title, isDefault }) => (
          <Group gap="xs" wrap="nowrap">
            {title}
            {isDefault && (
              <Badge variant="light" radius="sm" tt="none" fw={500}>
                {t('tariffCatalogue:default')}
              </Badge>
            )}
          </Group>
        ),
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
        width: 190,
      },
      number('accounts', t('tariffCatalogue:accounts'), ({ accounts }) => accounts),
      number('rules', t('tariffs:rules'), ({ rules }) => rules.length),
      number('version', t('tariffCatalogue:version'), ({ version }) => version),
      timeColumn('createdAt', t('tariffs:created'), { width: 150, hideBelow: 'md' }),
    ];
  }, [t, formats]);
}
