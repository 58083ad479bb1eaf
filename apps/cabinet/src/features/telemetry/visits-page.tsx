import { useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import { meQuery } from '../../core/account.ts';
import { queryClient } from '../../core/query.ts';
import { useSession } from '../../core/session/use-session.ts';
import { useCan } from '../../core/settings.ts';
import { ListView } from '../../list/list-view.tsx';
import { useListPage } from '../../list/state/use-list-page.ts';
import { IconLogin } from '../../ui/icons.ts';
import { PageHeader } from '../../ui/page-header.tsx';
import { SessionsSection } from '../security/sessions-section.tsx';
import { SESSIONS_SHOWN, sessionsQuery } from '../security/security.api.ts';
import { PlaceConsent } from './place-consent.tsx';
import { browserQuery } from './place.api.ts';
import { consentQuery, visitSpec } from './telemetry.api.ts';
import { useVisitColumns } from './use-visit-columns.tsx';

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
