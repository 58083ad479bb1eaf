import { useTranslation } from 'react-i18next';
import { PageHeader } from '../../ui/page-header.tsx';
import { AuditList } from './audit-list.tsx';
import { auditSpec } from './audit.api.ts';

export function AuditPage() {
  const { t } = useTranslation();
  return (
    <>
      <PageHeader title={t('audit:title')} />
      <AuditList spec={auditSpec} caption={t('audit:title')} />
    </>
  );
}
