import { useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import { meQuery } from '../../core/account.ts';
import { PageHeader } from '../../ui/page-header.tsx';
import { AuditList } from './audit-list.tsx';
import { accountAuditSpec } from './audit.api.ts';

/** Actions in the user's own account, including those of its reseller and manager. */
export function AccountAuditPage() {
  const { t } = useTranslation();
  const { data: me } = useQuery(meQuery);
  const OwnerId = me?.OwnerId;
  const fixed = useMemo(() => ({ OwnerId }), [OwnerId]);
  return (
    <>
      <PageHeader title={t('audit:own.title')} />
      {OwnerId && (
        <AuditList spec={accountAuditSpec} caption={t('audit:own.title')} fixed={fixed} />
      )}
    </>
  );
}
