import { Anchor } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';
import { useCan } from '../../core/settings.ts';
import { RowDialog } from '../../ui/row-dialog.tsx';
import { companyQuery } from './companies.api.ts';
import { CompanyForm } from './company-form.tsx';

export function CompanyDrawer() {
  const { t } = useTranslation();
  const can = useCan();
  return (
    <RowDialog
      query={companyQuery}
      mayCreate={can('companies.create', 'managerUp')}
      size={640}
      createTitle={t('companies:createTitle')}
      title={(row) => row?.title ?? t('companies:detail')}
      failed={t('companies:failed')}
    >
      {(row, onClose) => (
        <>
          {row && can('documentTemplates.get', 'managerUp') && (
            <Anchor
              component={Link}
              to={`/documentTemplates?f.CompanyId=${row.id}`}
              size="sm"
              mb="sm"
              display="inline-block"
            >
              {t('companies:templates')}
            </Anchor>
          )}
          <CompanyForm key={row?.id} row={row} onClose={onClose} />
        </>
      )}
    </RowDialog>
  );
}
