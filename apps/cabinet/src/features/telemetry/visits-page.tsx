import type { Visit } from '@heliograph/contract';
import { placeText } from '@heliograph/domain';
import { Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import { meQuery } from '../../core/account.ts';
import { queryClient } from '../../core/query.ts';
import { useSession } from '../../core/session/use-session.ts';
import { useCan } from '../../core/settings.ts';
import { useFormats } from '../../core/use-formats.ts';
import { timeColumn } from '../../list/grid/columns.tsx';
import type { GridColumn } from '../../list/grid/grid-column.ts';
import { ListView } from '../../list/list-view.tsx';
import { useListPage } from '../../list/state/use-list-page.ts';
import { IconLogin } from '../../ui/icons.ts';
import { PageHeader } from '../../ui/page-header.tsx';
import { SESSIONS_SHOWN, sessionsQuery } from '../security/security.api.ts';
import { SessionsSection } from '../security/sessions-section.tsx';
import { PlaceConsent } from './place-consent.tsx';
import { browserQuery } from './place.api.ts';
import { consentQuery, visitSpec } from './telemetry.api.ts';

/** What is above the list, so that nothing moves when it is loaded. */
export const prepare = () =>
  Promise.all([
    queryClient.prefetchQuery(consentQuery),
    queryClient.prefetchQuery(browserQuery),
    queryClient.prefetchQuery(sessionsQuery(SESSIONS_SHOWN)),
  ]);

/** Sign-ins to the user's own account: user, time, place and device. */
export function VisitsPage() {
  const { t } = useTranslation();
  const can = useCan();
  const { previous } = useSession();
  const { data: me } = useQuery(meQuery);
  return (
    <>
      <PageHeader title={t('telemetry:title')} />
      {/* In an impersonated session it would not be the user who consents. */}
      {!previous && can('telemetry.create') && <PlaceConsent />}
      <SessionsSection />
      {me && <Visits OwnerId={me.OwnerId} />}
    </>
  );
}

function Visits({ OwnerId }: { OwnerId: string }) {
  const { t } = useTranslation();
  // Actions of managers and resellers in the account are on the activity page.
  const fixed = useMemo(() => ({ OwnerId, action: 'login' }), [OwnerId]);
  const page = useListPage(visitSpec, fixed);
  const columns = useVisitColumns();
  return (
    <ListView
      page={page}
      caption={t('telemetry:title')}
      fields={[
        { kind: 'search', label: t('telemetry:search') },
        { kind: 'period', label: t('telemetry:period') },
      ]}
      columns={columns}
      rowTo={null}
      empty={{
        icon: IconLogin,
        title: t('telemetry:empty.title'),
        text: t('telemetry:empty.text'),
      }}
    />
  );
}

function useVisitColumns(): GridColumn<Visit>[] {
  const { t } = useTranslation();
  const formats = useFormats();
  return useMemo(
    (): GridColumn<Visit>[] => [
      timeColumn('createdAt', t('telemetry:when'), { width: 150, card: 'end' }),
      {
        id: 'action',
        header: t('telemetry:action'),
        cell: () => t('telemetry:login'),
        width: 180,
        card: 'title',
      },
      {
        id: 'place',
        header: t('telemetry:place'),
        cell: ({ data }) => placeText(formats.locale, data),
        isSensitive: true,
        width: 200,
        card: 'note',
      },
      {
        id: 'ip',
        header: t('telemetry:ip'),
        cell: (row) => row.ip && <span className="numeric">{row.ip}</span>,
        isSensitive: true,
        width: 150,
        card: 'note',
      },
      {
        id: 'useragent',
        header: t('telemetry:useragent'),
        cell: (row) => row.useragent && <Client visit={row} />,
        isSensitive: true,
        hideBelow: 'md',
        card: 'body',
      },
    ],
    [t, formats],
  );
}

/** The browser as in the open sessions, with what it calls itself below: that is what a support team asks for. */
function Client({ visit }: { visit: Visit }) {
  const { browser, system, useragent } = visit;
  const name = [browser, system].filter(Boolean).join(', ');
  if (!name) return useragent;
  return (
    <>
      {name}
      <Text size="xs" c="dimmed">
        {useragent}
      </Text>
    </>
  );
}
