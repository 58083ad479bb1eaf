import type { Route } from '@heliograph/contract';
import { SHARE_TOTAL } from '@heliograph/domain';
import { Badge, Button, Group } from '@mantine/core';
import type { TFunction } from 'i18next';
import { useMemo, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useFormats } from '../../core/use-formats.ts';
import { useCreateButton } from '../../list/create-button.tsx';
import type { GridColumn } from '../../list/grid/grid-column.ts';
import { ListPage } from '../../list/list-page.tsx';
import { useListPage } from '../../list/state/use-list-page.ts';
import type { Removal } from '../../list/use-removal.tsx';
import { IconRoute, IconSearch } from '../../ui/icons.ts';
import { later } from '../../ui/later.tsx';
import { routeSpec, useRemoveRoute } from './routes.api.ts';

const RouteDrawer = later(async () => (await import('./route-drawer.tsx')).RouteDrawer);
const RouteProbe = later(async () => (await import('./route-probe.tsx')).RouteProbe);

const REMOVAL: Removal<Route> = {
  can: ['routes.remove'],
  useChange: useRemoveRoute,
  words: (t, { title }) => ({
    question: t('routes:removeQuestion', { title }),
    action: t('routes:remove', { title }),
    text: t('routes:removeText'),
  }),
};

export function RoutesPage() {
  const { t } = useTranslation();
  const formats = useFormats();
  const page = useListPage(routeSpec);
  const create = useCreateButton(t('routes:create'), 'routes.create');
  const [isProbing, setProbing] = useState(false);
  const columns = useMemo(
    (): GridColumn<Route>[] => [
      {
        id: 'title',
        header: t('routes:name'),
        cell: ({ title, isActive }) => (
          <Group gap="xs" wrap="nowrap">
            <span>{title}</span>
            {!isActive && (
              <Badge color="gray" variant="light">
                {t('routes:off')}
              </Badge>
            )}
          </Group>
        ),
        sortable: true,
        width: 220,
        card: 'title',
      },
      {
        id: 'conditions',
        header: t('routes:conditions'),
        cell: (row) => {
          const text = conditionsOf(t, row);
          return <span title={text}>{text}</span>;
        },
        card: 'wide',
      },
      {
        id: 'channels',
        header: t('routes:channels'),
        cell: ({ channels, isWeighted, shares }) => {
          const now = new Map(
            shares.map(({ ChannelId, share }) => [
              ChannelId,
              ` (${formats.percent(share / SHARE_TOTAL)})`,
            ]),
          );
          const text = channels
            .map(({ ChannelId, weight }) =>
              isWeighted ? `${ChannelId} ${weight}${now.get(ChannelId) ?? ''}` : ChannelId,
            )
            .join(isWeighted ? ' : ' : ' → ');
          return <span title={text}>{text}</span>;
        },
        card: 'wide',
      },
      {
        id: 'priority',
        header: t('routes:priority'),
        cell: (row) => <span className="numeric">{formats.number(row.priority)}</span>,
        sortable: true,
        align: 'end',
        width: 110,
      },
    ],
    [t, formats],
  );
  const buttons = (
    <>
      <Button
        variant="default"
        leftSection={<IconSearch size={16} aria-hidden />}
        onClick={() => setProbing(true)}
      >
        {t('routes:probe.open')}
      </Button>
      {create}
    </>
  );
  return (
    <ListPage
      page={page}
      title={t('routes:title')}
      fields={[{ kind: 'search', label: t('routes:search') }]}
      create={buttons}
      columns={columns}
      removal={REMOVAL}
      empty={{ icon: IconRoute, title: t('routes:emptyTitle'), text: t('routes:emptyText') }}
    >
      <RouteDrawer />
      <RouteProbe opened={isProbing} onClose={() => setProbing(false)} />
    </ListPage>
  );
}

/** For which messages a route is, in words. */
function conditionsOf(t: TFunction, route: Route): string {
  const parts = [
    route.types.map((type) => t(`common:type.${type}`)),
    route.kinds.map((kind) => t(`routes:kind.${kind}`)),
    route.countries,
    route.operators,
    route.senders,
    route.Owners.map(({ username }) => username),
    route.Groups.map(({ title }) => title),
  ].filter((values) => values.length);
  return parts.length ? parts.map((values) => values.join(', ')).join(' · ') : t('routes:all');
}
